/**
 * Comma-separated text → rows of cells, as RFC 4180 has it: a cell in quotes may hold commas, line ends and doubled quotes. A byte
 * order mark and any line end are read; a header with semicolons or tabs and no comma says what separates its cells. What is
 * malformed is refused with its line rather than guessed at: a shifted column would test something else.
 */

export interface CsvRow {
  readonly cells: readonly string[];
  /** Where the row begins, from 1. */
  readonly line: number;
}

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

export interface CsvProblem {
  readonly line: number;
  readonly message: string;
}

/** A table, or the first thing that is wrong with it. */
export function parseCsv(text: string): CsvTable | CsvProblem {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const read = readRows(source, separatorOf(source));
  if ("message" in read) return read;
  const [first, ...rows] = read;
  if (first === undefined) return { line: 1, message: "there is no header: the first line names the columns" };
  const header = first.cells.map((cell) => cell.trim());
  const problem = headerProblem(header, first.line) ?? rowProblem(rows, header.length);
  return problem ?? { header, rows };
}

function separatorOf(text: string): string {
  const first = /^[^\r\n]*/.exec(text)![0].replace(/"[^"]*"/g, "");
  if (first.includes(",")) return ",";
  return [";", "\t"].find((one) => first.includes(one)) ?? ",";
}

function readRows(text: string, separator: string): CsvRow[] | CsvProblem {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let began = 1;
  let at = 0;
  while (at <= text.length) {
    if (cells.length === 0) began = line;
    const cell = text[at] === '"' ? quoted(text, at, line, separator) : bare(text, at, line, separator);
    if ("message" in cell) return cell;
    cells.push(cell.value);
    line = cell.line;
    at = cell.end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    // A line with nothing on it is no row, unless a row is a single cell in quotes.
    const empty = cells.length === 1 && cells[0] === "" && !cell.inQuotes;
    if (!empty) rows.push({ cells, line: began });
    cells = [];
    if (at >= text.length) return rows;
    at += text.startsWith("\r\n", at) ? 2 : 1;
    line++;
  }
  return rows;
}

interface Cell {
  readonly value: string;
  readonly end: number;
  readonly line: number;
  readonly inQuotes: boolean;
}

function bare(text: string, from: number, line: number, separator: string): Cell | CsvProblem {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
  const value = text.slice(from, end);
  if (value.includes('"'))
    return { line, message: "a quote stands inside a cell; put the whole cell into quotes and double the quote" };
  return { value, end, line, inQuotes: false };
}

function quoted(text: string, from: number, opened: number, separator: string): Cell | CsvProblem {
  let value = "";
  let line = opened;
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\n" || (char === "\r" && text[at + 1] !== "\n")) line++;
    if (char !== '"') value += char;
    else if (text[at + 1] === '"') {
      value += '"';
      at++;
    } else {
      const next = text[at + 1];
      if (next === undefined || next === separator || next === "\n" || next === "\r")
        return { value, end: at + 1, line, inQuotes: true };
      return { line, message: "text follows a closing quote; a quote inside of quotes is doubled" };
    }
  }
  return { line: opened, message: "the quote that opens here is never closed" };
}

function headerProblem(header: readonly string[], line: number): CsvProblem | undefined {
  const nameless = header.indexOf("");
  if (nameless >= 0) return { line, message: `column ${nameless + 1} has no name in the header` };
  const twice = header.find((name, index) => header.indexOf(name) < index);
  return twice === undefined ? undefined : { line, message: `the header has the column "${twice}" twice` };
}

function rowProblem(rows: readonly CsvRow[], columns: number): CsvProblem | undefined {
  const uneven = rows.find(({ cells }) => cells.length !== columns);
  if (uneven === undefined) return undefined;
  const { cells, line } = uneven;
  return { line, message: `this row has ${cells.length} cells, the header has ${columns}` };
}
