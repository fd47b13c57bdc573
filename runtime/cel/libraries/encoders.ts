import { BYTES, STRING } from "../types/cel-type.ts";
import { invalidArgument } from "../values/evaluation-error.ts";
import { declare, global, type Library } from "./library.ts";

function decode(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw invalidArgument("illegal base64 data");
  return Uint8Array.from(Buffer.from(text, "base64"));
}

/** Base64. Not offered by Kubernetes; for embedders that want it. */
export const encodersLibrary: Library = {
  name: "encoders",
  functions: [
    declare("base64.decode", global("base64_decode_string", [STRING], BYTES, decode)),
    declare(
      "base64.encode",
      global("base64_encode_bytes", [BYTES], STRING, (bytes: Uint8Array) => Buffer.from(bytes).toString("base64"), {
        total: true,
      }),
    ),
  ],
};
