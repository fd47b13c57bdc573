import { setImmediate } from "node:timers";

const LINES_PER_TURN = 2000;

type AreLive = (labels: readonly string[]) => boolean;

/**
 * Drops series from metrics in the text format of Prometheus, as written by the families of this server. Yields to the event loop. `livesOf` returns
 * a predicate for the series of a family to keep; undefined keeps all.
 */
export async function keepSeries(text: string, livesOf: (family: string) => AreLive | undefined): Promise<string> {
  let kept = "";
  let name = "";
  let areLive: AreLive | undefined;
  let lines = 0;
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = text.indexOf("\n", at) + 1;
    if (end === 0) end = text.length;
    const line = text.slice(at, end);
    if (line.startsWith("# ")) {
      const family = line.trimEnd().split(" ", 3)[2] ?? "";
      if (family !== name) [name, areLive] = [family, livesOf(family)];
      kept += line;
    } else if (areLive === undefined || areLive(labelsOf(line, name))) {
      kept += line;
    }
    if (++lines % LINES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return kept;
}

/** Returns the label values of a sample, in order, without the bucket bound. */
function labelsOf(line: string, family: string): string[] {
  const values: string[] = [];
  for (let at = line.indexOf("{"); at >= 0 && line[at] !== "}"; ) {
    let value = "";
    for (at = line.indexOf("=", at) + 2; at < line.length && line[at] !== '"'; at++) {
      const isEscaped = line[at] === "\\";
      if (isEscaped) at++;
      value += isEscaped && line[at] === "n" ? "\n" : line[at];
    }
    values.push(value);
    at++;
  }
  if (line.startsWith(`${family}_bucket{`)) values.pop();
  return values;
}
