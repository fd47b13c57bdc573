/** Keys below the root by which running servers find each other: each server writes its own, and they expire. */
const OF_SERVERS = ["/masterleases/", "/peerserverleases/"];

/** Whether a key, without the root, belongs to a running server instead of to the data. */
export function isOfServer(name: string): boolean {
  return OF_SERVERS.some((prefix) => name.startsWith(prefix));
}

/** The key that exists in etcd while a move to a root is not finished. It is outside of the root. */
export function moveMarkerKey(keyRoot: string): string {
  return `/typeplane-move/${keyRoot.replace(/^\/+/, "")}`;
}
