import { DEFAULT_GROUP_PRIORITY } from "../contract/resource-descriptor.ts";
import type { ApiSurface } from "../kinds/api-surface.ts";
import type { SurfaceGroup } from "../kinds/resource-entry.ts";
import { abortableDelay } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { mergeGroups } from "./merge-groups.ts";
import { RemoteDiscovery, type RemoteDiscoveryParts, type RemoteEntries } from "./remote-discovery.ts";
import { RemoteOpenApi, type RemoteOpenApiParts } from "./remote-openapi.ts";
import { isSameServer, type RemoteVersion, type RemoteVersions } from "./remote-versions.ts";
import type { ServiceDirectory } from "./service-directory.ts";

export interface RemoteDocumentParts {
  readonly discoveryGroup: string;
  readonly vendor: string;
  readonly remotes: RemoteVersions;
  readonly services: ServiceDirectory;
  readonly surface: () => ApiSurface;
  readonly log: Log;
}

/** Discovery and OpenAPI documents of extension servers, merged with those of this server. */
export interface RemoteDocuments {
  /** API groups of all servers. */
  readonly groups: () => readonly SurfaceGroup[];
  readonly discovered: RemoteEntries;
  readonly openApi: RemoteOpenApi;
  /** Sends no more requests. Those in progress end with their connections. */
  stop(): void;
}

/** Interval at which the documents are refreshed. */
const ASK_AGAIN_MS = 60_000;
const AT_A_TIME = 2;

export function createRemoteDocuments(parts: RemoteDocumentParts): RemoteDocuments {
  const { remotes, services, surface, log } = parts;
  const asking: RemoteDiscoveryParts["ask"] & RemoteOpenApiParts["ask"] = async (remote, question) => {
    await services.open();
    return (await import("./ask-server.ts")).askServer(remote, question, services);
  };
  const discovery = new RemoteDiscovery({ ask: asking, discoveryGroup: parts.discoveryGroup });
  const openApi = new RemoteOpenApi({ ask: asking, kindKey: `x-${parts.vendor}-group-version-kind` });
  const queues = [discovery, openApi].map((documents) => {
    const refresh = async (key: string): Promise<number | undefined> => {
      const remote = remotes.at(key);
      if (remote === undefined) return undefined;
      try {
        await documents.refresh(remote);
      } catch (error) {
        log("warn", `cannot read the discovery or OpenAPI documents of APIService ${remote.name}: ${String(error)}`);
      }
      if (remotes.at(key) === undefined) documents.forget(remote);
      return ASK_AGAIN_MS;
    };
    const queue = new WorkQueue(refresh, { delay: abortableDelay, concurrency: AT_A_TIME });
    remotes.listen((type, remote, former) => {
      if (type === "delete") documents.forget(remote);
      else if (former === undefined || !isSameServer(remote, former) || remote.available !== former.available)
        queue.add(keyOf(remote));
    });
    return queue;
  });
  return {
    groups() {
      const { groups } = surface();
      if (remotes.isEmpty) return groups;
      return mergeGroups({
        local: groups,
        remote: remotes.all(),
        rankOf: (group, version) => remotes.rankOf(group, version),
        defaultPriority: DEFAULT_GROUP_PRIORITY,
      });
    },
    discovered(group, version) {
      const remote = remotes.isEmpty ? undefined : remotes.find(group, version);
      return remote === undefined ? "local" : discovery.of(remote.name);
    },
    openApi,
    stop() {
      for (const queue of queues) void queue.stop();
    },
  };
}

function keyOf({ group, version }: RemoteVersion): string {
  return `${group}/${version}`;
}
