import type { RequestMaker } from "./compared-request.ts";
import { queryOf } from "./reads.ts";

const NAMES = [
  ...["resourceVersion", "resourceVersion", "resourceVersionMatch", "sendInitialEvents", "allowWatchBookmarks"],
  ...["labelSelector", "fieldSelector", "limit", "continue", "pretty", "includeObject"],
];
const ACCEPTS = ["application/json", "application/json;as=Table;v=v1;g=meta.k8s.io", "application/yaml", "text/html"];

/** Watches that end after a second: their first events, or their rejections. */
export const watches: RequestMaker = (random, { lists, stored }) => {
  const list = random.pick(lists);
  const queries = queryOf(random, list, NAMES, `watch=${random.pick(["true", "1", "x"])}&timeoutSeconds=1`);
  const { mine } = random.pick(stored.filter(({ path }) => path === list.path));
  const path = random.chance(0.15) ? `${list.path}/${mine.metadata.name}` : list.path;
  const accept = random.chance(0.7) ? "application/json" : random.pick(ACCEPTS);
  return {
    method: "GET",
    path: [`${path}${queries[0]}`, `${path}${queries[1]}`],
    headers: { Accept: accept },
    what: accept,
  };
};
