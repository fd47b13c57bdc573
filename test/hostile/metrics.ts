import type { Target } from "./target.ts";

export type Samples = ReadonlyMap<string, number>;

/** Reads `/metrics` and checks that every line has Prometheus' format. */
export async function scrape(target: Target): Promise<Samples> {
  const { status, body } = await target.request("GET", "/metrics");
  if (status !== 200 || typeof body !== "string")
    throw new Error(`/metrics answers ${status}: ${JSON.stringify(body)}`);
  return parseMetrics(body);
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)$/;

export function parseMetrics(text: string): Samples {
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(value?.replace("+Inf", "Infinity")))) {
      throw new Error(`/metrics has a line that is no sample: ${line.slice(0, 300)}`);
    }
    samples.set(name + labels, Number(value));
  }
  return samples;
}

/** Returns the sum over all labels. */
export function total(samples: Samples, name: string): number {
  let sum = 0;
  for (const [key, value] of samples) if (key === name || key.startsWith(`${name}{`)) sum += value;
  return sum;
}
