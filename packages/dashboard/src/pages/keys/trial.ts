/**
 * Writes a command that tries a key: what may be asked of a protocol with any key.
 *
 * @param path of the protocol from the root of the service: `/api/v1/own`
 * @param base of the page: `…/dashboard/`
 */
export function trialOf(path: string, base: string): string {
  const address = new URL(`..${path.replace(/\/+$/, '')}/networks`, base)
  // In one line, so that what is pasted next is the value; the same in bash and zsh.
  return `read -rs KEY; curl -H "X-API-KEY: $KEY" ${address.href}`
}
