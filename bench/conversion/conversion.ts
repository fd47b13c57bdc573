import { conversions, registry } from "../../generated/registry.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { createConverters } from "../../runtime/kinds/conversion/create-converters.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { RandomObjects, randomFrom } from "../../test/kinds/conversions/random-objects.ts";
import { type Measurement, medianTurn, type Turn } from "../measurement.ts";

const TURNS = 21;
const ROUNDS = 500;
const SEED = 7;

/** Measures the cost of requests in a version that is not the stored one, compared with reading an object and with a structuredClone of it. */
export async function measureConversion(): Promise<Measurement[]> {
  const types = registry.createTypeSource();
  const schemas = createSchemas(types);
  const { domain, resources } = registry.readCatalogue();
  const load = createConverters({ entries: registry.readConversions(), declarations: conversions, schemas, domain });
  const sample = (type: TypeRef): ApiObject => {
    const made = new RandomObjects(types, randomFrom(SEED)).object(type);
    return schemas.of<ApiObject>(type).decode({ metadata: { name: "one" }, ...made });
  };
  const fromHub = async (type: TypeRef): Promise<(object: ApiObject) => ApiObject> => {
    const resource = resources.find((one) => one.type === type);
    const converter = resource && (await load(resource));
    if (converter !== undefined) return (object) => converter.fromHub(object);
    return ({ kind: _kind, apiVersion: _version, ...rest }) => ({
      kind: "Deployment",
      apiVersion: "apps/v1beta2",
      ...rest,
    });
  };

  const deployment = sample("apps/v1.Deployment");
  // JSON.parse, unlike the server's parser, does not support integers beyond 2^53.
  const text = JSON.stringify(deployment, (_key, value) => (typeof value === "bigint" ? 7 : value));
  const schema = schemas.of<ApiObject>("apps/v1.Deployment");
  const sameShape = await fromHub("apps/v1beta2.Deployment");
  const [free, read] = inTurn(
    () => sameShape(deployment),
    () => schema.decode(JSON.parse(text)),
  );

  const figures: Measurement[] = [
    {
      name: "conversion: same shape, added to reading",
      value: read + free,
      unit: "µs",
      baseline: { name: "reading alone", value: read },
      bar: { atMost: 1.02 },
    },
  ];
  for (const [name, spoke, hub, atMost] of [
    ["renamed fields (Event)", "events/v1.Event", "core/v1.Event", 3],
    ["functions (Ingress)", "networking/v1beta1.Ingress", "networking/v1.Ingress", undefined],
  ] as const) {
    const convert = await fromHub(spoke);
    const object = sample(hub);
    const [value, clone] = inTurn(
      () => convert(object),
      () => structuredClone(object),
    );
    figures.push({
      name: `conversion: ${name}`,
      value,
      unit: "µs",
      baseline: { name: "structuredClone", value: clone },
      ...(atMost !== undefined && { bar: { atMost } }),
    });
  }
  return figures;
}

/** Measures two functions in turn, in microseconds. */
function inTurn(work: () => unknown, baseline: () => unknown): Turn {
  for (let turn = 0; turn < TURNS / 4; turn++) {
    microseconds(work);
    microseconds(baseline);
  }
  return medianTurn(Array.from({ length: TURNS }, () => [microseconds(work), microseconds(baseline)] as const));
}

function microseconds(run: () => unknown): number {
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) run();
  return process.cpuUsage(before).user / ROUNDS;
}
