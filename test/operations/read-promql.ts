/** Names in a PromQL expression, parsed approximately: sufficient for the expressions of this project. */
export interface Named {
  readonly metrics: ReadonlyMap<string, ReadonlySet<string>>;
  /** Labels of aggregations. Each belongs to one of the metrics. */
  readonly grouped: ReadonlySet<string>;
}

const WORDS = new Set(["or", "and", "unless", "bool", "offset"]);

export function readPromQl(expression: string): Named {
  const grouped = new Set<string>();
  const plain = expression
    .replace(/\[[^\]]*\]/g, "")
    .replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, labels: string) => {
      for (const label of labels.split(",")) grouped.add(label.trim());
      return " ";
    });
  const metrics = new Map<string, Set<string>>();
  for (const [, name = "", open, matchers = ""] of plain.matchAll(/\b([a-z_]\w*)\b\s*(?:(\()|\{([^}]*)\})?/g)) {
    if (open !== undefined || WORDS.has(name)) continue;
    const labels = metrics.get(name) ?? new Set<string>();
    for (const [, label = ""] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)) labels.add(label);
    metrics.set(name, labels);
  }
  return { metrics, grouped };
}

/** Returns the metrics of a text in Prometheus' format, with the labels of their samples. */
export function readExposition(text: string): Map<string, Set<string>> {
  const families = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    const [, declared, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (declared !== undefined) {
      const names = type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => declared + end) : [declared];
      for (const name of names) if (!families.has(name)) families.set(name, new Set());
    }
    const [, name = "", labels = ""] = /^([a-z_]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    for (const [, label = ""] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) families.get(name)?.add(label);
  }
  return families;
}
