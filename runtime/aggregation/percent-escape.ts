/** Encodes a string as UTF-8 and escapes every byte that `unescaped` does not match as `%XX`. */
export function percentEscape(text: string, unescaped: RegExp): string {
  let escaped = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const character = String.fromCharCode(byte);
    escaped += unescaped.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

const UNESCAPED_IN_PATH = /[A-Za-z0-9\-_.~$&+,/:;=@]/;

/** Escapes a decoded path like Go, so that the other server decodes exactly the path that was authorized here. */
export function escapePath(path: string): string {
  return percentEscape(path, UNESCAPED_IN_PATH);
}
