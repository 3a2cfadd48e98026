// Only the author's preview puts this into a page: it reloads after a save and shows what is wrong.

/** @type {number | null} the version that this page was built as, or later */
let shown = null;

/** @param {string[]} problems */
function showProblems(problems) {
  document.getElementById("author-problems")?.remove();
  if (problems.length === 0) return;
  const box = document.createElement("section");
  box.id = "author-problems";
  box.setAttribute("role", "alert");
  Object.assign(box.style, {
    position: "fixed", inset: "auto 0 0 0", zIndex: "1000", maxHeight: "45vh", overflow: "auto",
    padding: "1rem", background: "#5c0d12", color: "#fff", font: "14px/1.5 monospace", whiteSpace: "pre-wrap",
  });
  const head = document.createElement("strong");
  head.textContent = problems.length === 1 ? "One problem\n" : `${problems.length} problems\n`;
  box.append(head, document.createTextNode(problems.join("\n")));
  document.body.append(box);
}

const events = new EventSource("/__author__/events");
events.addEventListener("message", (event) => {
  /** @type {{ version: number, problems: string[] }} */
  const news = JSON.parse(event.data);
  if (shown !== null && news.version !== shown) {
    location.reload();
    return;
  }
  shown = news.version;
  showProblems(news.problems);
});
