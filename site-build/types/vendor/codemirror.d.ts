export * from "../../browser/vendor-src/codemirror.js";
