import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY = ['-newkey', 'rsa:2048', '-nodes', '-keyout']

/**
 * Makes two authorities in a folder, `ca.pem` and `other.pem`, and a certificate of the first for one name, `server.pem` with `server.key`. Wants the program
 * `openssl`.
 */
export function makeCertificates(folder: string, name: string): void {
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  for (const authority of ['ca', 'other'])
    openssl('req', '-x509', ...KEY, `${authority}.key`, '-days', '2', '-out', `${authority}.pem`, '-subj', `/CN=${authority}`)
  openssl('req', ...KEY, 'server.key', '-out', 'server.csr', '-subj', `/CN=${name}`)
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${name}`)
  const signed = ['-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  openssl('x509', '-req', ...signed, '-out', 'server.pem')
}
