import type { CommandStreams } from "../runtime/cli/command-streams.ts";
import type { ApiRegistry } from "../runtime/contract/api-registry.ts";
import type { Command, CommandRow } from "./command.ts";

/** Creates a command that needs only its streams. */
function ofStreams(
  usage: Command["usage"],
  run: (args: readonly string[], streams: CommandStreams) => Promise<number>,
): Command {
  return { usage, run: (args, { streams }) => run(args, streams) };
}

/** Creates a command that needs the kinds of Kubernetes and of the project. */
function ofRegistry(
  usage: Command["usage"],
  run: (args: readonly string[], streams: CommandStreams, registry: ApiRegistry) => Promise<number>,
): Command {
  return { usage, run: async (args, { streams, registry }) => run(args, streams, await registry()) };
}

/** All commands, in the order of `typeplane --help`. Only this module imports both the runtime and the generator. */
export const COMMANDS: Readonly<Record<string, CommandRow | undefined>> = {
  init: {
    arguments: "NAME",
    summary: "create a project with a first kind",
    load: async () => (await import("./init/init.ts")).init,
  },
  generate: {
    arguments: "[flags]",
    summary: "generate generated/ from api-definitions/",
    load: async () => (await import("./generator-commands.ts")).generate,
  },
  check: {
    arguments: "",
    summary: "check the definitions, and that generated/ is up to date",
    load: async () => (await import("./generator-commands.ts")).check,
  },
  serve: {
    arguments: "[flags]",
    summary: "start a server",
    load: async () => {
      const [{ parseFlags }, { runServer }] = await Promise.all([
        import("../runtime/cli/read-config.ts"),
        import("../runtime/cli/run-server.ts"),
      ]);
      return {
        async usage({ registry }) {
          const { SERVE_USAGE, describeServing } = await import("./describe-serving.ts");
          return `${SERVE_USAGE}\n${describeServing(await registry())}`;
        },
        serves: true,
        run: (args, { streams }) => runServer(parseFlags(args), streams),
      };
    },
  },
  dev: {
    arguments: "[flags]",
    summary: "start a server and serve changes of the definitions without a restart",
    load: async () => (await import("./generator-commands.ts")).dev,
  },
  start: {
    arguments: "[--json] [flags]",
    summary: "start a server for tests: in memory, on a free port, until its parent ends",
    load: async () => {
      const { START_USAGE, startCommand } = await import("../runtime/cli/start.ts");
      return { ...ofStreams(START_USAGE, startCommand), serves: true };
    },
  },
  assets: {
    arguments: "DIR",
    summary: "write the programs kube-apiserver and etcd for test suites such as envtest",
    load: async () => {
      const { ASSETS_USAGE, assetsCommand } = await import("../runtime/cli/assets/assets.ts");
      return ofStreams(ASSETS_USAGE, assetsCommand);
    },
  },
  // Started by `serve --workers`.
  worker: {
    arguments: "",
    load: async () => {
      const { workerCommand } = await import("../runtime/cli/worker.ts");
      return {
        usage: "typeplane worker\n\n`typeplane serve --workers` starts this command.\n",
        serves: true,
        run: workerCommand,
      };
    },
  },
  // Started by the programs that `assets` writes.
  "kube-apiserver": {
    arguments: "[flags]",
    load: async () => {
      const { kubeApiServerUsage, kubeApiServerCommand } = await import("../runtime/cli/assets/kube-apiserver.ts");
      return { ...ofStreams(async () => kubeApiServerUsage(), kubeApiServerCommand), serves: true };
    },
  },
  etcd: {
    arguments: "[flags]",
    load: async () => {
      const { ETCD_USAGE, etcdCommand } = await import("../runtime/cli/assets/etcd-stand-in.ts");
      return { ...ofStreams(ETCD_USAGE, etcdCommand), serves: true };
    },
  },
  scaffold: {
    arguments: "GROUP/VERSION/KIND",
    summary: "create the definition of a new kind, or of another version of a kind",
    load: async () => (await import("./generator-commands.ts")).scaffold,
  },
  openapi: {
    arguments: "[flags]",
    summary: "write the OpenAPI documents",
    load: async () => (await import("./generator-commands.ts")).openapi,
  },
  "api-diff": {
    arguments: "REVISION",
    summary: "describe how the API changed since a git revision",
    load: async () => (await import("./generator-commands.ts")).apiDiff,
  },
  "release-snapshot": {
    arguments: "[--replace]",
    summary: "record the API as released: later incompatible changes are errors",
    load: async () => (await import("./generator-commands.ts")).releaseSnapshot,
  },
  docs: {
    arguments: "[flags]",
    summary: "write the reference of your kinds as a static site",
    load: async () => (await import("./generator-commands.ts")).docs,
  },
  import: {
    arguments: "-f FILE",
    summary: "write definitions from CustomResourceDefinitions",
    load: async () => (await import("./import.ts")).importCommand,
  },
  crds: {
    arguments: "[flags]",
    summary: "write your kinds as CustomResourceDefinitions",
    load: async () => (await import("./crds.ts")).crds,
  },
  roles: {
    arguments: "[flags]",
    summary: "write the ServiceAccount and the RBAC roles that your controllers need",
    load: async () => (await import("./roles.ts")).roles,
  },
  webhook: {
    arguments: "[flags]",
    summary: "serve conversion and hooks to a cluster that has your CustomResourceDefinitions",
    load: async () => {
      const { WEBHOOK_USAGE, webhookCommand } = await import("../runtime/cli/webhook.ts");
      return { ...ofRegistry(WEBHOOK_USAGE, webhookCommand), serves: true };
    },
  },
  convert: {
    arguments: "[flags]",
    summary: "convert manifests to another API version",
    load: async () => {
      const { CONVERT_USAGE, convertCommand } = await import("../runtime/cli/convert.ts");
      return ofRegistry(CONVERT_USAGE, convertCommand);
    },
  },
  removals: {
    arguments: "[flags]",
    summary: "list objects whose API version a release deprecates or removes",
    load: async () => {
      const { REMOVALS_USAGE, removalsCommand } = await import("../runtime/cli/removals.ts");
      return ofRegistry(REMOVALS_USAGE, removalsCommand);
    },
  },
  "migrate-storage": {
    arguments: "[flags]",
    summary: "rewrite stored objects in their storage version and with the current encryption key",
    load: async () => {
      const { MIGRATE_STORAGE_USAGE, migrateStorageCommand } = await import("../runtime/cli/migrate-storage.ts");
      return ofRegistry(MIGRATE_STORAGE_USAGE, migrateStorageCommand);
    },
  },
  "scrub-storage": {
    arguments: "[flags]",
    summary: "remove deleted objects and old plaintext from the data file",
    load: async () => {
      const { SCRUB_STORAGE_USAGE, scrubStorageCommand } = await import("../runtime/cli/scrub-storage.ts");
      return ofStreams(SCRUB_STORAGE_USAGE, scrubStorageCommand);
    },
  },
  "downgrade-storage": {
    arguments: "[--data-dir DIR]",
    summary: "write the data file in its previous format, for the previous version of Typeplane",
    load: async () => {
      const { DOWNGRADE_STORAGE_USAGE, downgradeStorageCommand } = await import("../runtime/cli/downgrade-storage.ts");
      return ofStreams(DOWNGRADE_STORAGE_USAGE, downgradeStorageCommand);
    },
  },
  backup: {
    arguments: "[--data-dir DIR] --to FILE",
    summary: "copy the embedded store to a file, while a server uses it",
    load: async () => {
      const { BACKUP_USAGE, backupCommand } = await import("../runtime/cli/backup.ts");
      return ofStreams(BACKUP_USAGE, backupCommand);
    },
  },
  restore: {
    arguments: "--from FILE --data-dir DIR",
    summary: "create a data directory from a backup",
    load: async () => {
      const { RESTORE_USAGE, restoreCommand } = await import("../runtime/cli/backup.ts");
      return ofStreams(RESTORE_USAGE, restoreCommand);
    },
  },
  verify: {
    arguments: "[--from FILE] [flags]",
    summary: "read, decrypt and decode all objects of a store or a backup",
    load: async () => {
      const { VERIFY_USAGE, verifyCommand } = await import("../runtime/cli/verify.ts");
      return ofRegistry(VERIFY_USAGE, verifyCommand);
    },
  },
  move: {
    arguments: "--from DIR --to https://ETCD",
    summary: "move all objects from a data directory to etcd, or from etcd to a data directory",
    load: async () => {
      const { MOVE_USAGE, moveCommand } = await import("../runtime/cli/move.ts");
      return ofRegistry(MOVE_USAGE, moveCommand);
    },
  },
  doctor: {
    arguments: "[flags]",
    summary: "check a server or a data directory, and report problems and what to do",
    load: async () => {
      const { DOCTOR_USAGE, doctorCommand } = await import("../runtime/cli/doctor/doctor.ts");
      return ofRegistry(DOCTOR_USAGE, doctorCommand);
    },
  },
  version: {
    arguments: "",
    summary: "print the versions of Typeplane, of the API and of Node.js",
    load: async () => {
      const { VERSION_USAGE, versionCommand } = await import("../runtime/cli/version.ts");
      return ofRegistry(VERSION_USAGE, (_args, streams, registry) => versionCommand(streams, registry));
    },
  },
  completion: {
    arguments: "bash|zsh|fish",
    summary: "print a script with which the shell completes commands and flags",
    load: async () => (await import("./completion.ts")).createCompletion(COMMANDS),
  },
};
