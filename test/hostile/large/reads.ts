import { CONFIG_MAPS, type LargeInput, MERGE, read, send } from "./requests.ts";

export function reads(): LargeInput[] {
  const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const metadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
  const metadataList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  const accepts: readonly [string, string, string][] = [
    ["JSON", "application/json", "application/json"],
    ["YAML", "application/yaml", "application/yaml"],
    ["CBOR", "application/cbor", "application/cbor"],
    ["protobuf", "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"],
    ["a table", table, table],
    ["metadata", metadata, metadataList],
  ];
  // Changed first, so that no encoding of it is cached.
  const before = (name: string) => (attempt: number) => [
    send("PATCH", `${CONFIG_MAPS}/${name}`, { data: { read: `${attempt}` } }, MERGE),
  ];
  return accepts.flatMap(([what, accept, ofList]) => [
    {
      what: `read a ConfigMap as ${what}`,
      before: before("stored"),
      make: () => read(`${CONFIG_MAPS}/stored`, accept),
    },
    {
      what: `read a ConfigMap without owners as ${what}`,
      before: before("bare"),
      make: () => read(`${CONFIG_MAPS}/bare`, accept),
    },
    {
      what: `list ConfigMaps as ${what}`,
      before: before("stored"),
      make: () => read(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dstored`, ofList),
    },
  ]);
}
