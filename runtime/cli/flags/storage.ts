import { totalmem } from "node:os";
import { UsageError } from "../usage-error.ts";
import { boolean, checkCredentials, duration, file, keyPair, list, number, string } from "./flag.ts";
import { section } from "./section.ts";

/** A host with a port, and optionally a scheme. */
const ENDPOINT = /^(https?:\/\/)?([^/:\s]+|\[[0-9a-fA-F:]+\]):\d{1,5}\/?$/;

/** Encodings of objects may use another quarter. The rest is for everything else, and for the operating system's cache of the data file. */
function quarterOfMemory(): number {
  return Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 4);
}

export const STORAGE = section(
  "Storage",
  {
    dataDir: string("data-dir", {
      default: ".typeplane/data",
      help: 'Directory of the embedded store. "memory" keeps objects in memory only; they are lost when the server stops.',
    }).to((directory) => (directory === "memory" ? undefined : directory)),
    etcdServers: list("etcd-servers", {
      help: "Addresses of an etcd cluster that stores the objects, instead of --data-dir: https://127.0.0.1:2379.",
    }).to((servers, name) => {
      const odd = servers.find((server) => !ENDPOINT.test(server));
      if (odd !== undefined) throw new UsageError(`--${name}=${odd}: write an address such as https://127.0.0.1:2379`);
      return servers;
    }),
    etcdPrefix: string("etcd-prefix", { default: "/registry", help: "Prefix of all keys in etcd." }),
    etcdAuthority: file("etcd-cafile", { help: "CA of the etcd servers." }),
    etcdCertificate: file("etcd-certfile", {
      help: "Client certificate for etcd. Requires --etcd-keyfile. Read again for new connections.",
    }),
    etcdKey: file("etcd-keyfile", { help: "Private key of --etcd-certfile." }),
    historyMs: duration("etcd-compaction-interval", {
      default: "5m0s",
      help: "How long old revisions of objects can still be read and watched, in etcd and in --data-dir. 0 keeps them forever.",
    }).to((milliseconds) => milliseconds || Number.POSITIVE_INFINITY),
    changeLogDir: string("change-log-dir", {
      help: "Directory for a log of all changes to --data-dir. With a backup, `typeplane restore --change-log` restores any revision after it. Put it on another disk.",
    }),
    changeLogMaxSize: number("change-log-max-size", {
      default: "1024",
      help: "Size in megabytes beyond which the oldest files of --change-log-dir are removed.",
    }),
    watchCacheBytes: number("watch-cache-bytes", {
      default: "0",
      help: "Memory for the bytes of objects in the watch cache, over --data-dir. Beyond it objects are read from the data file when they are needed; what selectors need stays in memory. 0 means a quarter of the memory of the machine or container.",
    }).to((bytes) => bytes || quarterOfMemory()),
    encryptionFile: string("encryption-provider-config", {
      help: "File of kind EncryptionConfiguration: which resources are encrypted in the store, with which providers and keys.",
    }),
    encryptionReload: boolean("encryption-provider-config-automatic-reload", {
      default: "false",
      help: "Reload --encryption-provider-config when the file changes.",
    }),
    eventTtlSeconds: duration("event-ttl", { default: "1h0m0s", help: "How long Events are kept." }).to(
      (milliseconds) => milliseconds / 1000,
    ),
    deleteCollectionWorkers: number("delete-collection-workers", {
      default: "32",
      help: "Maximum number of objects that one deletecollection request deletes at the same time. Large objects are deleted fewer at a time.",
    }).to((count) => Math.max(1, count)),
    garbageCollector: boolean("enable-garbage-collector", {
      default: "true",
      help: "Delete dependents after their owners, and support foreground deletion and orphaning. Must be the same in the kube-controller-manager.",
    }),
  },
  ({
    etcdServers: servers,
    etcdPrefix: prefix,
    etcdAuthority,
    etcdCertificate,
    etcdKey,
    changeLogDir: directory,
    changeLogMaxSize: megabytes,
    encryptionFile,
    encryptionReload: reload,
    ...values
  }) => {
    const authority = etcdAuthority?.contents;
    checkCredentials(["etcd-cafile"], { ca: authority });
    const client = keyPair(["etcd-certfile", etcdCertificate], ["etcd-keyfile", etcdKey]);
    const encryption = { file: encryptionFile || undefined, reload };
    if (reload && encryption.file === undefined)
      throw new UsageError(
        "--encryption-provider-config-automatic-reload must be set with --encryption-provider-config",
      );
    const etcd = servers.length === 0 ? undefined : { servers, prefix, authority, client };
    if (directory && (etcd !== undefined || values.dataDir === undefined))
      throw new UsageError(
        "--change-log-dir logs the changes of a data directory: use it without --etcd-servers and --data-dir=memory",
      );
    if (!(megabytes >= 1)) throw new UsageError(`--change-log-max-size=${megabytes}: write 1 or more`);
    const changeLog = directory ? { directory, maxBytes: megabytes * 1024 * 1024 } : undefined;
    return { ...values, encryption, etcd, changeLog };
  },
);
