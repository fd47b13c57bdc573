/** A page of the documentation: its path below the site's root without extension, and its Markdown. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** Escapes the characters of a description that Markdown or Vue would interpret, except in code. */
export function escapeText(text: string): string {
  return text
    .split(/(`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[*_|[\]]/g, "\\$&").replaceAll("{{", "&#123;&#123;")))
    .join("");
}

/** Like `escapeText`, for one table cell: bars are escaped in code, too. */
export function escapeCell(text: string): string {
  return escapeText(text.replace(/\s+/g, " ")).replace(/(?<!\\)\|/g, "\\|");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function link(text: string, target: string): string {
  return `[${text}](${target})`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Returns the first sentence of a description, for lists. */
export function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, " ") ?? text;
}

/** Joins paragraphs and blocks. Leaves out those that are empty or undefined. */
export function blocks(...parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;
}
