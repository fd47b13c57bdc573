import { describe, expect, it } from "vitest";
import { FLAGS_WITHOUT_EFFECT } from "../../runtime/cli/assets/flags-without-effect.ts";
import { describeFlags } from "../../runtime/cli/describe-flags.ts";
import { number } from "../../runtime/cli/flags/flag.ts";
import { FLAGS } from "../../runtime/cli/flags/sections.ts";
import { hostAddress } from "../../runtime/cli/host-address.ts";
import { deprecatedFlags, parseFlags, readConfig } from "../../runtime/cli/read-config.ts";

describe("flags", () => {
  it("may have their value after an equals sign or a space; boolean flags need no value", () => {
    const flags = parseFlags(["--secure-port=7", "--bind-address", "::1", "--controllers"]);
    expect(readConfig(flags)).toMatchObject({ securePort: 7, bindAddress: "::1", controllers: true });
    expect(readConfig(parseFlags(["--controllers=F"])).controllers).toBe(false);
  });

  it("that list things may repeat", () => {
    const flags = parseFlags(["--feature-gates=A=true,B=false", "--feature-gates=C=true"]);
    expect(readConfig(flags).featureGates).toBe("A=true,B=false,C=true");
  });

  it.each([
    [["--secure-prt=1"], "unknown flag --secure-prt"],
    [["--secure-prt=1"], "secure-port"],
    [["here"], 'unexpected argument "here"'],
    [["--bind-address"], "--bind-address needs a value"],
  ])("%j are refused with help", (args, message) => {
    expect(() => parseFlags(args)).toThrow(message);
  });

  it.each([
    ["--secure-port=x", "--secure-port=x: not a number"],
    ["--controllers=maybe", "--controllers=maybe: write true or false"],
    ["--request-timeout=soon", "--request-timeout=soon: not a duration"],
    ["--token-auth-file=/nowhere/at/all", "--token-auth-file=/nowhere/at/all: ENOENT"],
    ["--goaway-chance=0.5", "--goaway-chance=0.5: write a number from 0 to 0.02"],
    ["--tls-min-version=3", "--tls-min-version=3: write one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13"],
    ["--tls-cipher-suites=TLS_NULL", "Cipher suite TLS_NULL not supported or doesn't exist"],
    ["--tls-cert-file=package.json", "--tls-cert-file and --tls-private-key-file must be specified together"],
    ["--advertise-address=here", "--advertise-address=here: not an IP address"],
    ["--endpoint-reconciler-type=some", "--endpoint-reconciler-type=some: write one of lease, none"],
    ["--service-account-issuer=", "service-account-issuer should not be an empty string"],
    [
      "--service-account-issuer=https://",
      "service-account-issuer \"https://\" contained a ':' but was not a valid URL",
    ],
    ["--service-account-key-file=package.json", "--service-account-key-file=package.json: there is no key in it"],
    ["--service-account-signing-key-file=package.json", "--service-account-signing-key-file=package.json: "],
    ["--service-account-max-token-expiration=5m", "must be between 1 hour and 2^32 seconds"],
    ["--service-account-jwks-uri=http://x/", "service-account-jwks-uri requires https scheme, parsed as: http://x/"],
    ["--cors-allowed-origins=(", "--cors-allowed-origins: ( is not a regular expression"],
  ])("%s is refused", (flag, message) => {
    expect(() => readConfig(parseFlags([flag]))).toThrow(message);
  });

  it("have sensible defaults", () => {
    const config = readConfig(parseFlags([]));
    expect(config).toMatchObject({
      bindAddress: "127.0.0.1",
      securePort: 6443,
      authorizationModes: ["Node", "RBAC"],
      requestTimeoutMs: 60_000,
      eventTtlSeconds: 3600,
      historyMs: 300_000,
    });
    expect(readConfig(parseFlags(["--service-cluster-ip-range="])).serviceClusterIpRange).toBe("10.0.0.0/24");
    expect(readConfig(parseFlags(["--etcd-compaction-interval=0"])).historyMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("that name the same issuer twice are refused", () => {
    const args = ["--service-account-issuer=a", "--service-account-issuer=a"];
    expect(() => readConfig(parseFlags(args))).toThrow('service-account-issuer "a" is already specified');
  });

  it("name cipher suites as Go does", () => {
    const suites =
      "TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256";
    expect(readConfig(parseFlags([`--tls-cipher-suites=${suites}`])).tls.ciphers).toBe(
      "TLS_AES_128_GCM_SHA256:ECDHE-RSA-AES256-SHA:ECDHE-ECDSA-CHACHA20-POLY1305",
    );
  });

  it("determine the published address, which other hosts can reach", () => {
    const advertised = (...args: string[]) => readConfig(parseFlags(args)).advertiseAddress;
    expect(advertised()).toBe(hostAddress("127.0.0.1"));
    expect(advertised("--bind-address=127.0.0.1")).toBe(hostAddress("127.0.0.1"));
    expect(advertised("--advertise-address=127.0.0.1")).toBeUndefined();
    expect(advertised("--bind-address=192.0.2.7")).toBe("192.0.2.7");
    expect(advertised("--advertise-address=192.0.2.8")).toBe("192.0.2.8");
    expect(advertised("--advertise-address=192.0.2.8", "--endpoint-reconciler-type=none")).toBeUndefined();
    expect(advertised("--bind-address=0.0.0.0")).not.toBe("0.0.0.0");
  });

  it("that are deprecated still work and are described as deprecated", () => {
    const old = number("old-limit", { default: "1", help: "A limit.", deprecated: "use --new-limit instead" });
    expect(old.to((value) => value * 2).read(["4"])).toBe(8);
    expect(old.to((value) => value * 2)).toMatchObject({ default: "1", deprecated: "use --new-limit instead" });
  });

  it("are all listed by --help", () => {
    const help = describeFlags();
    for (const { name } of FLAGS) {
      expect(help).toMatch(new RegExp(`^  (?:-\\w, )?--${name}\\s`, "m"));
    }
  });
});

it("deprecated flags of kube-apiserver are told in its words", () => {
  const given = new Set(["apiserver-count", "default-watch-cache-size", "storage-media-type"]);
  expect(deprecatedFlags(given, FLAGS_WITHOUT_EFFECT)).toEqual([
    "Flag --apiserver-count has been deprecated, apiserver-count is deprecated and will be removed in a future version.",
    "Flag --default-watch-cache-size has been deprecated, watch caches are sized automatically and this flag will be removed in a future version",
  ]);
});

it("flags of kube-apiserver that this server does not have are refused with the reason", () => {
  expect(() => parseFlags(["--watch-cache=false"])).toThrow(
    "--watch-cache: this flag of kube-apiserver has no effect here: remove it",
  );
  expect(() => parseFlags(["--tls-sni-cert-key=a,b"])).toThrow("--tls-sni-cert-key: only one serving certificate");
  expect(() => parseFlags(["--watch-cash"])).toThrow("unknown flag --watch-cash");
});
