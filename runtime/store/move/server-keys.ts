/** Prefixes, below the root, of the keys by which running servers find each other. Each server writes its own key, which expires. */
const OF_SERVERS = ["/masterleases/", "/peerserverleases/"];

/** Whether a key (without the root) belongs to a running server rather than to the data. */
export function isOfServer(name: string): boolean {
  return OF_SERVERS.some((prefix) => name.startsWith(prefix));
}

/** The key that exists in etcd while a move to this root is unfinished. It is outside of the root. */
export function moveMarkerKey(keyRoot: string): string {
  return `/typeplane-move/${keyRoot.replace(/^\/+/, "")}`;
}
