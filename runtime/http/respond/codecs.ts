export interface EnvelopeParts {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** How values become bytes; one per media type, put together by the composition root. */
export interface Codecs {
  readonly stringifyJson: (value: unknown, pretty?: boolean) => string;
  readonly stringifyYaml: (value: unknown) => string;
  readonly encodeCbor: (value: unknown) => Uint8Array;
  /** The protobuf envelope of Kubernetes: `k8s\0` and a message `Unknown`. */
  readonly encodeEnvelope: (apiVersion: string, kind: string, message: Uint8Array) => Uint8Array;
  /** What that envelope puts before and after a message of this length. */
  readonly envelopeAround: (apiVersion: string, kind: string, rawLength: number) => EnvelopeParts;
}
