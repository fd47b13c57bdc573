import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy that the environment specifies for a server, by the rules of Go programs: `HTTPS_PROXY`, unless `NO_PROXY` contains the host, its
 * domain, its network, or `*`. Loopback addresses and URLs without TLS use no proxy.
 */
export function proxyOf(server: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const proxy = environment.HTTPS_PROXY || environment.https_proxy || "";
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (protocol !== "https:" || proxy === "" || isLoopback(host)) return undefined;
  const exceptions = (environment.NO_PROXY || environment.no_proxy || "")
    .split(",")
    .map((one) => one.trim().toLowerCase());
  if (exceptions.some((exception) => isExcepted(host, port || "443", exception))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isExcepted(host: string, port: string, exception: string): boolean {
  if (exception === "" || exception === "*") return exception === "*";
  if (exception.includes("/")) return isInNetwork(host, exception);
  const [name, ofPort] = splitPort(exception);
  if (ofPort !== undefined && ofPort !== port) return false;
  const domain = name.startsWith("*.") ? name.slice(1) : name;
  if (domain.startsWith(".")) return host.endsWith(domain);
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

function splitPort(exception: string): [name: string, port: string | undefined] {
  const at = exception.lastIndexOf(":");
  const port = exception.slice(at + 1);
  const hasPort = at !== -1 && isIP(exception) === 0 && /^\d+$/.test(port);
  const name = hasPort ? exception.slice(0, at) : exception;
  return [name.replace(/^\[|\]$/g, ""), hasPort ? port : undefined];
}

function isInNetwork(host: string, network: string): boolean {
  const [address = "", bits] = network.split("/");
  const family = isIP(address);
  const length = Number(bits);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits ?? "") || length > (family === 4 ? 32 : 128))
    return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(address, length, type);
  return list.check(host, type);
}
