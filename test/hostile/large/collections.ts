import { CONFIG_MAPS, LARGE_NAMESPACE, type LargeInput, send } from "./requests.ts";

export function collections(): LargeInput[] {
  return [
    { what: "delete the collection of ConfigMaps", make: () => send("DELETE", CONFIG_MAPS) },
    { what: "delete the namespace", make: () => send("DELETE", `/api/v1/namespaces/${LARGE_NAMESPACE}`) },
  ];
}
