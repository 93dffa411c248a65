/** The path of the coldframe program: COLDFRAME_BINARY, else that of the package for this system. Throws where there is none. */
export function binaryPath(of?: { platform: string; arch: string; env: Record<string, string | undefined> }): string
