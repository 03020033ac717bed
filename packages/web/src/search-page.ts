/** Search on a page without a timeline: rows and findings that do not hold the words are hidden. */
export function searchPage(field: HTMLInputElement, page: HTMLElement): void {
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of page.querySelectorAll<HTMLElement>("tbody tr, .find > li, .labels > dd")) {
      const isShown = wanted === "" || (row.textContent ?? "").toLowerCase().includes(wanted);
      row.hidden = !isShown;
    }
  });
}
