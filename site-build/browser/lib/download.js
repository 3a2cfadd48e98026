/** @param {string} name @param {string} text a file that the browser saves, made on the spot */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Firefox reads the address a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
