export const LATEST: string;
export function latestBuild(options?: { isChecked?: boolean }): string | undefined;
export function buildFor(command: string | undefined, directory: string): string | undefined;
