/** Pages that do as little as a page can: the floor of those that show the same. */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** As many bytes of data, parsed, and one sentence. */
export function writeBarePage(file: string, data: string): string {
  return written(
    file,
    `<script type="application/json" id="d">${data}</script><script>
const data = JSON.parse(document.getElementById("d").textContent);
document.body.append(Object.keys(data).length + " parts");
document.body.setAttribute("data-ready", "");
</script>`,
  );
}

/** A list of which only the rows in sight exist, drawn with nothing between it and the browser: four words a row, no state. */
export function writeBareList(file: string, count: number): string {
  return written(
    file,
    `<style>.bare { height: 756px; overflow: auto } .bare div { height: 54px; border-bottom: 1px solid #ddd; box-sizing: border-box }</style>
<div class="bare" role="listbox"></div><script>
const [list, height, amount] = [document.querySelector(".bare"), 54, 26];
const draw = () => {
  const first = Math.max(0, Math.min(${count} - amount, Math.floor(list.scrollTop / height) - 6));
  const rows = Array.from({ length: amount }, (_, at) => '<div role="option"><b>task-' + (first + at) +
    '</b> <i>=</i><br><span>same behaviour</span> <code>lookup_order</code></div>');
  const space = (rest) => '<svg width="1" height="' + rest * height + '" style="display: block"></svg>';
  list.innerHTML = space(first) + rows.join("") + space(${count} - first - amount);
};
list.onscroll = draw;
draw();
</script>`,
  );
}

function written(file: string, body: string): string {
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>bare</title><body>${body}`);
  return pathToFileURL(file).href;
}
