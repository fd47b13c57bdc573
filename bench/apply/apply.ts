import { createFieldManager, type FieldManager } from "../../runtime/apply/managed-fields/field-manager.ts";
import type { MergeType } from "../../runtime/contract/merge-schema.ts";
import type { JsonObject } from "../../runtime/lib/json-object.ts";
import { DEPLOYMENT, deployment, TABLE, table } from "./objects.ts";

export interface ApplyFigure {
  readonly name: string;
  /** Size of the live object as JSON, managedFields included. */
  readonly bytes: number;
  readonly microseconds: number;
  /** Factor compared with JSON.parse plus JSON.stringify of the same object. */
  readonly ratio: number;
}

/** Measures server-side apply, from a live object and a configuration to the object to store. */
export function measureApply(): ApplyFigure[] {
  return [...measureDeployment(), measureManyManagers(), ...[10, 100, 1_000, 10_000].map(measureGrowth)];
}

function measureDeployment(): ApplyFigure[] {
  const manager = fieldManager(DEPLOYMENT, "apps/v1", "Deployment");
  const live = manager.apply(undefined, deployment("registry.invalid/app:1"), "alpha", false);
  let generation = 0;
  const images = [deployment("registry.invalid/app:1"), deployment("registry.invalid/app:2")];
  return [
    figure("Deployment of 2 KiB, unchanged", live, (stored) =>
      manager.apply(stored, images[0] as JsonObject, "alpha", false),
    ),
    figure("Deployment of 2 KiB, new image", live, (stored) => {
      generation++;
      return manager.apply(stored, images[generation % 2] as JsonObject, "alpha", false);
    }),
  ];
}

function measureManyManagers(): ApplyFigure {
  const manager = fieldManager(TABLE, "example.com/v1", "Table");
  let live: JsonObject | undefined;
  for (let i = 0; i < 10; i++) live = manager.apply(live, table(i * 10, i * 10 + 10), `manager-${i}`, false);
  const config = table(0, 10);
  return figure("100 entries of 10 managers", live as JsonObject, (stored) =>
    manager.apply(stored, config, "manager-0", false),
  );
}

function measureGrowth(size: number): ApplyFigure {
  const manager = fieldManager(TABLE, "example.com/v1", "Table");
  const live = manager.apply(undefined, table(0, size), "alpha", false);
  const config = table(0, size);
  return figure(`${size} entries`, live, (stored) => manager.apply(stored, config, "alpha", false));
}

function fieldManager(schema: MergeType, apiVersion: string, kind: string): FieldManager {
  return createFieldManager({
    apiVersion,
    kind,
    now: () => new Date(0),
    schemaFor: () => schema,
    convert: (object) => object,
  });
}

/** Measures one apply. Parses the live object each time, as if read from a store, so that nothing of it is cached. */
function figure(name: string, live: JsonObject, apply: (live: JsonObject) => JsonObject): ApplyFigure {
  const text = JSON.stringify(live);
  const parse = () => JSON.parse(text) as JsonObject;
  const baseline = median(() => {
    JSON.stringify(parse());
  }, text.length);
  const parsing = median(() => {
    parse();
  }, text.length);
  const microseconds =
    median(() => {
      apply(parse());
    }, text.length) - parsing;
  return { name, bytes: text.length, microseconds, ratio: microseconds / baseline };
}

/** Returns the median duration of a call in microseconds, over batches that are long enough for the resolution of the clock. */
function median(call: () => void, bytes: number): number {
  const batch = Math.max(1, Math.round(200_000 / bytes));
  const times: number[] = [];
  for (let round = 0; round < 60; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < batch; i++) call();
    times.push(Number(process.hrtime.bigint() - start) / 1000 / batch);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1] as number;
}

if (process.argv[1] === import.meta.filename) {
  for (const { name, bytes, microseconds, ratio } of measureApply()) {
    const size = `${(bytes / 1024).toFixed(1)} KiB`;
    console.log(
      `${name.padEnd(30)} ${size.padStart(12)} ${microseconds.toFixed(1).padStart(10)} µs ${ratio.toFixed(1).padStart(6)} ×`,
    );
  }
}
