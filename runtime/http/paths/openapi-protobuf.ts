export async function encodeOpenApi(_document: unknown, _version: "v2" | "v3"): Promise<Uint8Array> {
  return new Uint8Array();
}
