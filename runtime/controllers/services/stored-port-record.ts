import type { ApiObject } from "../../contract/api-object.ts";
import { decodeEnvelope, encodeEnvelope, isEnvelope } from "../../encoding/protobuf/envelope.ts";
import type { Schemas } from "../../schema/type-schema.ts";
import { CasFailedError } from "../../store/errors.ts";
import type { Store } from "../../store/store.ts";
import {
  decodeBitmap,
  encodeBitmap,
  formatPortRange,
  type PortRange,
  type PortRecord,
  parsePortRange,
} from "./port-record.ts";

interface RangeAllocation extends ApiObject {
  readonly range: string;
  /** Bitmap in base64. */
  readonly data: string;
}

export interface PortRecordParts {
  readonly store: Store;
  /** Prefix of all storage keys: `/registry`. */
  readonly keyRoot: string;
  readonly range: PortRange;
  readonly schemas: Schemas;
}

/**
 * Creates the record of node ports in the format of Kubernetes, a RangeAllocation under `/registry/ranges/servicenodeports`. So this server and
 * kube-apiserver can share one etcd without allocating a port twice.
 */
export function createPortRecord({ store, keyRoot, range, schemas }: PortRecordParts): PortRecord {
  const key = `${keyRoot}/ranges/servicenodeports`;
  const schema = () => schemas.of<RangeAllocation>("core/v1.RangeAllocation");
  const decode = (value: Uint8Array): ReadonlySet<number> => {
    const { range: text, data } = isEnvelope(value)
      ? schema().decodeProtobuf(decodeEnvelope(value).raw)
      : (JSON.parse(Buffer.from(value).toString("utf8")) as RangeAllocation);
    return decodeBitmap(Buffer.from(data ?? "", "base64"), parsePortRange(text));
  };
  const encode = (marked: ReadonlySet<number>): Uint8Array => {
    const data = encodeBitmap(marked, range).toString("base64");
    const raw = schema().encodeProtobuf({ metadata: {}, range: formatPortRange(range), data } as RangeAllocation);
    return encodeEnvelope({ apiVersion: "v1", kind: "RangeAllocation", raw });
  };
  return {
    async read() {
      const entry = await store.get(key);
      return entry === undefined ? undefined : decode(entry.value);
    },
    async update(change) {
      for (;;) {
        const entry = await store.get(key);
        const next = change(entry === undefined ? undefined : decode(entry.value));
        if (next === undefined) return;
        try {
          await store.put(key, encode(next), { expected: entry?.modRevision ?? 0 });
          return;
        } catch (error) {
          // Another server changed the record first: retry.
          if (!(error instanceof CasFailedError)) throw error;
        }
      }
    },
  };
}
