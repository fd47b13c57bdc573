import type { Flag } from "./flags/flag.ts";
import { FLAG_SECTIONS } from "./flags/sections.ts";

const HELP_COLUMN = 37;
const HELP_WIDTH = 120;

/** Returns the text of `--help` with a heading for each section. If help does not fit beside a long name, it starts on the next line. */
export function describeFlags(): string {
  return FLAG_SECTIONS.map(({ title, flags }) => `${title}:\n\n${flags.map(describeFlag).join("\n")}`).join("\n\n");
}

function describeFlag({ name, help, default: fallback = "", deprecated }: Flag): string {
  const label = `  ${name.length === 1 ? `-${name}, ` : ""}--${name}`;
  const notes = [
    ...(fallback === "" ? [] : [`(default ${fallback})`]),
    ...(deprecated === undefined ? [] : [`(DEPRECATED: ${deprecated})`]),
  ];
  const indent = `\n${" ".repeat(HELP_COLUMN)}`;
  const start = label.length < HELP_COLUMN ? label.padEnd(HELP_COLUMN) : `${label}${indent}`;
  return start + wrap([...help.split(" "), ...notes], HELP_WIDTH - HELP_COLUMN).join(indent);
}

function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
