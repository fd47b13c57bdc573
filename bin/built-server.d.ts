export const LATEST: string;
export function latestBuild(): string | undefined;
export function buildFor(command: string | undefined, directory: string): string | undefined;
