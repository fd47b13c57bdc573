export type MediaFormat = "json" | "yaml" | "protobuf" | "cbor";

/** Media types of the supported formats. Their vendor and domain are settings of the platform. */
export interface MediaTypes {
  /** In order of preference of the server. */
  readonly formats: readonly MediaFormat[];
  readonly nameOf: Readonly<Record<MediaFormat, string>>;
  readonly names: readonly string[];
  readonly metaGroup: string;
  readonly discoveryGroup: string;
}

export interface MediaTypeOptions {
  readonly vendor: string;
  readonly domain: string;
  readonly cbor?: boolean;
}

export function createMediaTypes({ vendor, domain, cbor = false }: MediaTypeOptions): MediaTypes {
  const nameOf = {
    json: "application/json",
    yaml: "application/yaml",
    protobuf: `application/vnd.${vendor}.protobuf`,
    cbor: "application/cbor",
  } as const;
  const formats: MediaFormat[] = cbor ? ["json", "yaml", "protobuf", "cbor"] : ["json", "yaml", "protobuf"];
  return {
    formats,
    nameOf,
    names: formats.map((format) => nameOf[format]),
    metaGroup: `meta.${domain}`,
    discoveryGroup: `apidiscovery.${domain}`,
  };
}

/** The Content-Type of a watch stream. */
export function streamTypeOf(types: MediaTypes, format: MediaFormat): string {
  return format === "cbor"
    ? "application/cbor-seq"
    : format === "protobuf"
      ? `${types.nameOf.protobuf};stream=watch`
      : types.nameOf[format];
}
