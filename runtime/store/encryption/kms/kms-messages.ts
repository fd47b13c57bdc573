import protobuf from "protobufjs";

/** The messages of versions 2 and 1 of the KMS plugin protocol, and the envelope that Kubernetes stores, with the original field numbers. */
const DEFINITION = `
  syntax = "proto3";

  message StatusRequest {}
  message StatusResponse { string version = 1; string healthz = 2; string key_id = 3; }
  message EncryptRequest { bytes plaintext = 1; string uid = 2; }
  message EncryptResponse { bytes ciphertext = 1; string key_id = 2; map<string, bytes> annotations = 3; }
  message DecryptRequest { bytes ciphertext = 1; string uid = 2; string key_id = 3; map<string, bytes> annotations = 4; }
  message DecryptResponse { bytes plaintext = 1; }

  message V1VersionRequest { string version = 1; }
  message V1VersionResponse { string version = 1; string runtime_name = 2; string runtime_version = 3; }
  message V1EncryptRequest { string version = 1; bytes plain = 2; }
  message V1EncryptResponse { bytes cipher = 1; }
  message V1DecryptRequest { string version = 1; bytes cipher = 2; }
  message V1DecryptResponse { bytes plain = 1; }

  message EncryptedObject {
    bytes encryptedData = 1; string keyID = 2; bytes encryptedDEKSource = 3; map<string, bytes> annotations = 4;
    int32 encryptedDEKSourceType = 5;
  }
`;

const root = protobuf.parse(DEFINITION, { keepCase: true }).root;

export interface MessageCodec<Request, Response> {
  serialize(request: Request): Buffer;
  deserialize(bytes: Uint8Array): Response;
}

/** Codec for the request and the response of a call. Absent fields of a response get their default values. */
export function kmsCodec<Request extends object, Response>(
  request: string,
  response: string,
): MessageCodec<Request, Response> {
  const [sent, received] = [root.lookupType(request), root.lookupType(response)];
  return {
    serialize: (message) => Buffer.from(sent.encode(sent.fromObject(message)).finish()),
    deserialize: (bytes) => received.toObject(received.decode(bytes), { defaults: true, objects: true }) as Response,
  };
}

/** A value as stored: its ciphertext, and the wrapped key that encrypts it. */
export interface EncryptedObject {
  readonly encryptedData: Uint8Array;
  readonly keyID: string;
  readonly encryptedDEKSource: Uint8Array;
  readonly annotations: Readonly<Record<string, Uint8Array>>;
  readonly encryptedDEKSourceType: number;
}

export const envelopeCodec = kmsCodec<EncryptedObject, EncryptedObject>("EncryptedObject", "EncryptedObject");
