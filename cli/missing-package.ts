/** Packages that only some features need and that are therefore not installed with this one. */
const FEATURES: readonly { readonly needs: readonly string[]; readonly what: string; readonly development?: true }[] = [
  { needs: ["ts-morph", "handlebars"], what: "reading definitions", development: true },
  { needs: ["yaml"], what: "editing YAML manifests" },
  { needs: ["@grpc/grpc-js", "protobufjs"], what: "speaking to etcd and to KMS plugins" },
  {
    needs: [
      "@opentelemetry/api",
      "@opentelemetry/sdk-trace",
      "@opentelemetry/resources",
      "@opentelemetry/exporter-trace-otlp-grpc",
    ],
    what: "exporting traces",
  },
  { needs: ["@noble/ciphers"], what: "the encryption provider secretbox" },
];

/** Returns what to install if an error is caused by such a missing package; undefined for any other error. */
export function missingPackage(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : "";
  const [, name = ""] = /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^/']+)/.exec(message) ?? [];
  const feature = FEATURES.find(({ needs }) => needs.includes(name));
  if (feature === undefined) return undefined;
  const { needs, what, development } = feature;
  const packages = `${needs.length === 1 ? "the package" : "the packages"} ${needs.join(" and ")}`;
  return `${what} needs ${packages}: npm install ${development ? "--save-dev " : ""}${needs.join(" ")}`;
}
