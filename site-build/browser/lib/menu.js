/** A way within the page leaves the page where it is, so its menu has to close by hand. */

export function closeMenu() {
  const menu = document.getElementById("course-menu");
  menu?.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a")) menu.hidePopover();
  });
}
