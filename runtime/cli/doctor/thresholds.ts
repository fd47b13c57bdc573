import type { Finding, Severity } from "./check.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Same values as in docs/operations/alerts.yaml. */
const EXPIRY_WARNING_MS = 14 * DAY_MS;
const EXPIRY_ERROR_MS = 2 * DAY_MS;
const FREE_WARNING = 0.1;
const FREE_ERROR = 0.03;

/** Returns the findings for a certificate that expires at `expires`. */
export function expiryFindings(certificate: string, expires: number, now: number, advice: string): Finding[] {
  const left = expires - now;
  if (left >= EXPIRY_WARNING_MS) return [];
  const severity: Severity = left < EXPIRY_ERROR_MS ? "error" : "warning";
  const date = new Date(expires).toISOString().slice(0, 10);
  const when = left <= 0 ? `expired on ${date}` : `expires in ${Math.floor(left / DAY_MS)} days, on ${date}`;
  return [{ severity, finding: `The certificate ${certificate} ${when}.`, advice }];
}

/** Returns the findings for a file system with this much free space. */
export function diskFindings(availableBytes: number, diskBytes: number): Finding[] {
  if (diskBytes <= 0 || availableBytes / diskBytes >= FREE_WARNING) return [];
  const free = availableBytes / diskBytes;
  return [
    {
      severity: free < FREE_ERROR ? "error" : "warning",
      finding: `The disk with the data has ${formatBytes(availableBytes)} (${(free * 100).toFixed(1)} %) left; writes fail when it is full.`,
      advice: "Free space or make the disk larger: docs/operations/disk-nearly-full.md.",
    },
  ];
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Formats a size, such as `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
