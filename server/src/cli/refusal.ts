/** Refusal of the command line when it cannot do what it was asked to: one sentence, or several lines that belong together. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Errors whose message was written for the operator. */
const SPOKEN = new Set(['ServiceError', 'SandboxError'])

/** Returns the sentence for the operator on anything that was thrown. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return `This is a fault of the program: ${String(error)}.`
  // Theirs may begin with the name of a setting, which has its own spelling.
  if (error.name === 'Refusal' || error.name === 'SettingsError') return closed(error.message)
  if (SPOKEN.has(error.name)) return ended(error.message)
  return listening(error) ?? `This is a fault of the program, or of its installation: ${closed(error.message)} Add --debug to see where.`
}

/** A port that cannot be listened on. */
function listening(error: Error): string | undefined {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (syscall !== 'listen' && syscall !== 'bind' && syscall !== 'getaddrinfo') return undefined
  return cannotListen(code, address ?? 'that address', port ?? 0)
}

/** Explains why a port cannot be listened on, and what to do. */
export function cannotListen(code: string | undefined, host: string, port: number, settings = '--port or SVC_PORT'): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program: stop that one, or choose another port with ${settings}.`
  if (code === 'EACCES') return `This user may not listen on port ${port} of ${host}: choose a port above 1023 with ${settings}.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${host} is not an address of this machine: choose another with --host, such as 127.0.0.1 or 0.0.0.0.`
  return `Port ${port} on ${host} cannot be listened on (${code ?? 'unknown reason'}).`
}

function ended(text: string): string {
  return closed(text.charAt(0).toUpperCase() + text.slice(1))
}

function closed(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
