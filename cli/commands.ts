import type { CommandRow } from "./command.ts";

/** Every command, in the order of `typeplane --help`. This is the only place that knows both the runtime and the generator. */
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
    summary: "start a server and serve changes of the definitions without restarting it",
    load: async () => (await import("./generator-commands.ts")).dev,
  },
  start: {
    arguments: "[--json] [flags]",
    summary: "start a server for tests: in memory, on a free port, until its parent ends",
    load: async () => {
      const { START_USAGE, startCommand } = await import("../runtime/cli/start.ts");
      return { usage: START_USAGE, serves: true, run: (args, { streams }) => startCommand(args, streams) };
    },
  },
  assets: {
    arguments: "DIR",
    summary: "write the programs kube-apiserver and etcd for test suites such as envtest",
    load: async () => {
      const { ASSETS_USAGE, assetsCommand } = await import("../runtime/cli/assets/assets.ts");
      return { usage: ASSETS_USAGE, run: (args, { streams }) => assetsCommand(args, streams) };
    },
  },
  // What `serve --workers` runs.
  worker: {
    arguments: "",
    load: async () => {
      const { workerCommand } = await import("../runtime/cli/worker.ts");
      return {
        usage: "typeplane worker\n\nIs started by `typeplane serve --workers`.\n",
        serves: true,
        run: workerCommand,
      };
    },
  },
  // What the programs of `assets` run.
  "kube-apiserver": {
    arguments: "[flags]",
    load: async () => {
      const { kubeApiServerUsage, kubeApiServerCommand } = await import("../runtime/cli/assets/kube-apiserver.ts");
      return {
        usage: async () => kubeApiServerUsage(),
        serves: true,
        run: (args, { streams }) => kubeApiServerCommand(args, streams),
      };
    },
  },
  etcd: {
    arguments: "[flags]",
    load: async () => {
      const { ETCD_USAGE, etcdCommand } = await import("../runtime/cli/assets/etcd-stand-in.ts");
      return { usage: ETCD_USAGE, serves: true, run: (args, { streams }) => etcdCommand(args, streams) };
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
      return {
        usage: WEBHOOK_USAGE,
        serves: true,
        run: async (args, { streams, registry }) => webhookCommand(args, streams, await registry()),
      };
    },
  },
  convert: {
    arguments: "[flags]",
    summary: "convert manifests to another API version",
    load: async () => {
      const { CONVERT_USAGE, convertCommand } = await import("../runtime/cli/convert.ts");
      return {
        usage: CONVERT_USAGE,
        run: async (args, { streams, registry }) => convertCommand(args, streams, await registry()),
      };
    },
  },
  removals: {
    arguments: "[flags]",
    summary: "list objects whose API version a release deprecates or removes",
    load: async () => {
      const { REMOVALS_USAGE, removalsCommand } = await import("../runtime/cli/removals.ts");
      return {
        usage: REMOVALS_USAGE,
        run: async (args, { streams, registry }) => removalsCommand(args, streams, await registry()),
      };
    },
  },
  "migrate-storage": {
    arguments: "[flags]",
    summary: "rewrite stored objects in their storage version and with the current encryption key",
    load: async () => {
      const { MIGRATE_STORAGE_USAGE, migrateStorageCommand } = await import("../runtime/cli/migrate-storage.ts");
      return {
        usage: MIGRATE_STORAGE_USAGE,
        run: async (args, { streams, registry }) => migrateStorageCommand(args, streams, await registry()),
      };
    },
  },
  "scrub-storage": {
    arguments: "[flags]",
    summary: "remove deleted objects and old plaintext from the data file",
    load: async () => {
      const { SCRUB_STORAGE_USAGE, scrubStorageCommand } = await import("../runtime/cli/scrub-storage.ts");
      return { usage: SCRUB_STORAGE_USAGE, run: (args, { streams }) => scrubStorageCommand(args, streams) };
    },
  },
  "downgrade-storage": {
    arguments: "[--data-dir DIR]",
    summary: "write the data file in its previous format, for the previous version of Typeplane",
    load: async () => {
      const { DOWNGRADE_STORAGE_USAGE, downgradeStorageCommand } = await import("../runtime/cli/downgrade-storage.ts");
      return { usage: DOWNGRADE_STORAGE_USAGE, run: (args, { streams }) => downgradeStorageCommand(args, streams) };
    },
  },
  backup: {
    arguments: "[--data-dir DIR] --to FILE",
    summary: "copy the embedded store to a file, while a server uses it",
    load: async () => {
      const { BACKUP_USAGE, backupCommand } = await import("../runtime/cli/backup.ts");
      return { usage: BACKUP_USAGE, run: (args, { streams }) => backupCommand(args, streams) };
    },
  },
  restore: {
    arguments: "--from FILE --data-dir DIR",
    summary: "make a data directory from a backup",
    load: async () => {
      const { RESTORE_USAGE, restoreCommand } = await import("../runtime/cli/backup.ts");
      return { usage: RESTORE_USAGE, run: (args, { streams }) => restoreCommand(args, streams) };
    },
  },
  verify: {
    arguments: "[--from FILE] [flags]",
    summary: "read, decrypt and decode everything that is stored or in a backup",
    load: async () => {
      const { VERIFY_USAGE, verifyCommand } = await import("../runtime/cli/verify.ts");
      return {
        usage: VERIFY_USAGE,
        run: async (args, { streams, registry }) => verifyCommand(args, streams, await registry()),
      };
    },
  },
  move: {
    arguments: "--from DIR --to https://ETCD",
    summary: "move all objects from a data directory to etcd, or from etcd to a data directory",
    load: async () => {
      const { MOVE_USAGE, moveCommand } = await import("../runtime/cli/move.ts");
      return {
        usage: MOVE_USAGE,
        run: async (args, { streams, registry }) => moveCommand(args, streams, await registry()),
      };
    },
  },
  doctor: {
    arguments: "[flags]",
    summary: "look at a server or a data directory, and say what is wrong and what to do",
    load: async () => {
      const { DOCTOR_USAGE, doctorCommand } = await import("../runtime/cli/doctor/doctor.ts");
      return {
        usage: DOCTOR_USAGE,
        run: async (args, { streams, registry }) => doctorCommand(args, streams, await registry()),
      };
    },
  },
  version: {
    arguments: "",
    summary: "print the versions of Typeplane, of the API and of Node.js",
    load: async () => {
      const { VERSION_USAGE, versionCommand } = await import("../runtime/cli/version.ts");
      return {
        usage: VERSION_USAGE,
        run: async (_args, { streams, registry }) => versionCommand(streams, await registry()),
      };
    },
  },
  completion: {
    arguments: "bash|zsh|fish",
    summary: "print a script with which the shell completes commands and flags",
    load: async () => (await import("./completion.ts")).createCompletion(COMMANDS),
  },
};
