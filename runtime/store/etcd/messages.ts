import protobuf from "protobufjs";

/* The messages and fields of etcd's v3 protocol that the store uses, with etcd's field numbers. Unknown fields of responses are skipped. */
const DEFINITION = `
  syntax = "proto3";

  message Header { uint64 cluster_id = 1; int64 revision = 3; }
  message KeyValue { bytes key = 1; int64 create_revision = 2; int64 mod_revision = 3; int64 version = 4; bytes value = 5; int64 lease = 6; }

  message RangeRequest {
    bytes key = 1; bytes range_end = 2; int64 limit = 3; int64 revision = 4; bool keys_only = 8; bool count_only = 9;
  }
  message RangeResponse { Header header = 1; repeated KeyValue kvs = 2; bool more = 3; int64 count = 4; }

  message PutRequest { bytes key = 1; bytes value = 2; int64 lease = 3; }
  message PutResponse { Header header = 1; }
  message DeleteRequest { bytes key = 1; }
  message DeleteResponse { Header header = 1; int64 deleted = 2; }

  message Compare {
    int32 result = 1; int32 target = 2; bytes key = 3;
    oneof value { int64 version = 4; int64 mod_revision = 6; }
  }
  message RequestOp {
    oneof request { RangeRequest range = 1; PutRequest put = 2; DeleteRequest delete = 3; }
  }
  message ResponseOp {
    oneof response { RangeResponse range = 1; PutResponse put = 2; DeleteResponse delete = 3; }
  }
  message TxnRequest { repeated Compare compare = 1; repeated RequestOp success = 2; repeated RequestOp failure = 3; }
  message TxnResponse { Header header = 1; bool succeeded = 2; repeated ResponseOp responses = 3; }

  message CompactionRequest { int64 revision = 1; }
  message CompactionResponse { Header header = 1; }

  message StatusRequest {}
  message StatusResponse { Header header = 1; string version = 2; int64 db_size = 3; repeated string errors = 8; }

  message LeaseGrantRequest { int64 ttl = 1; }
  message LeaseGrantResponse { Header header = 1; int64 id = 2; }
  message LeaseTimeToLiveRequest { int64 id = 1; }
  message LeaseTimeToLiveResponse { Header header = 1; int64 id = 2; int64 ttl = 3; }

  message WatchCreate {
    bytes key = 1; bytes range_end = 2; int64 start_revision = 3; bool prev_kv = 6; int64 watch_id = 7; bool fragment = 8;
  }
  message WatchCancel { int64 watch_id = 1; }
  message WatchProgress {}
  message WatchRequest {
    oneof request { WatchCreate create = 1; WatchCancel cancel = 2; WatchProgress progress = 3; }
  }
  message Event { int32 type = 1; KeyValue kv = 2; KeyValue prev_kv = 3; }
  message WatchResponse {
    Header header = 1; int64 watch_id = 2; bool created = 3; bool canceled = 4; int64 compact_revision = 5;
    string cancel_reason = 6; bool fragment = 7; repeated Event events = 11;
  }
`;

export interface Header {
  /** A 64-bit number, rounded: sufficient to distinguish clusters, but not to send back. */
  readonly cluster_id: number;
  readonly revision: number;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly create_revision: number;
  readonly mod_revision: number;
  readonly version: number;
}

export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly { readonly range?: RangeResponse }[];
}

export interface WatchResponse {
  readonly header: Header;
  readonly watch_id: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compact_revision: number;
  readonly cancel_reason: string;
  readonly fragment: boolean;
  readonly events: readonly { readonly type: number; readonly kv: KeyValue; readonly prev_kv: KeyValue | null }[];
}

export interface MessageCodec<Request, Response> {
  serialize(request: Request): Buffer;
  deserialize(bytes: Buffer): Response;
}

const root = protobuf.parse(DEFINITION, { keepCase: true }).root;

/**
 * Codec of the request and the response of a call, given the names of their messages. Absent fields of responses get their default values.
 * 64-bit integers become numbers, which are exact for revisions and counts, or strings for responses with larger integers.
 */
export function messageCodec<Request extends object, Response>(
  request: string,
  response: string,
  longs: typeof Number | typeof String = Number,
): MessageCodec<Request, Response> {
  const requestType = root.lookupType(request);
  const responseType = root.lookupType(response);
  return {
    serialize: (message) => Buffer.from(requestType.encode(requestType.fromObject(message)).finish()),
    deserialize: (bytes) => {
      const message = responseType.decode(bytes);
      return responseType.toObject(message, { longs, defaults: true, oneofs: false }) as Response;
    },
  };
}
