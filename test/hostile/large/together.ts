import type { RequestInput } from "../input.ts";
import {
  APPLY,
  CONFIG_MAPS,
  configMap,
  GROUP,
  type LargeInput,
  list,
  MERGE,
  OWNED_KEYS,
  read,
  STORED_KEYS,
  send,
  WIDES,
} from "./requests.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const STREAMS = [
  "application/json",
  "application/cbor-seq",
  "application/vnd.kubernetes.protobuf;stream=watch",
  TABLE,
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
];
const AT_ONCE = 10;

/** Concurrent large requests, and objects with many watches or many columns. */
export function together(): LargeInput[] {
  const change = (attempt: number) => send("PATCH", `${CONFIG_MAPS}/stored`, { data: { read: `${attempt}` } }, MERGE);
  const others = (make: (index: number) => RequestInput) => list(AT_ONCE - 1, make);
  return [
    {
      what: "create 10 ConfigMaps of many keys at the same time",
      make: (attempt) => send("POST", CONFIG_MAPS, configMap(`t${attempt}`, STORED_KEYS)),
      beside: (attempt) => others((index) => send("POST", CONFIG_MAPS, configMap(`t${attempt}-${index}`, STORED_KEYS))),
    },
    {
      what: "apply 10 ConfigMaps at the same time",
      make: (attempt) => applied(`a${attempt}`),
      beside: (attempt) => others((index) => applied(`a${attempt}-${index}`)),
    },
    {
      what: "read a changed ConfigMap 10 times at the same time",
      before: (attempt) => [change(attempt)],
      make: () => read(`${CONFIG_MAPS}/stored`, "application/yaml"),
      beside: () =>
        others((index) => read(`${CONFIG_MAPS}/stored`, index % 2 === 0 ? "application/yaml" : "application/cbor")),
    },
    {
      what: "change a ConfigMap that 60 watchers see in every format",
      make: change,
      watches: STREAMS.flatMap((accept) => list(12, () => read(`${CONFIG_MAPS}?watch=1`, accept))),
    },
    {
      what: "list an object with 5,000 columns as a table",
      before: (attempt) => [send("POST", WIDES, wide(`w${attempt}`))],
      make: () => read(WIDES, TABLE),
    },
  ];
}

const applied = (name: string) =>
  send("PATCH", `${CONFIG_MAPS}/${name}?fieldManager=a`, configMap(name, OWNED_KEYS), APPLY);

const wide = (name: string) => ({
  apiVersion: `${GROUP}/v1`,
  kind: "Wide",
  metadata: { name },
  spec: { items: list(50_000, (a) => ({ a })) },
});
