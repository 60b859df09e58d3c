import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Debian's packages of the faces that the pictures are drawn with: a bare Debian draws `system-ui` with DejaVu Sans. */
const PACKAGES = ['fonts-inter', 'fonts-jetbrains-mono']

/**
 * Settings of fontconfig with these faces and no other, in a folder of its own: nothing is installed, and nothing of this machine shows in a picture.
 *
 * @returns the file's path; null where they cannot be fetched, and this machine's own faces are drawn
 */
export function fontSettings(): string | null {
  const folder = join(tmpdir(), 'svc-screenshot-fonts')
  const settings = join(folder, 'fonts.conf')
  if (existsSync(settings)) return settings
  mkdirSync(folder, { recursive: true })
  const fetched = spawnSync('apt-get', ['download', ...PACKAGES], { cwd: folder, stdio: 'ignore' }).status === 0
  const packed = fetched ? readdirSync(folder).filter((name) => name.endsWith('.deb')) : []
  if (!packed.length || packed.some((name) => spawnSync('dpkg', ['-x', name, folder], { cwd: folder }).status !== 0)) return null
  const alias = (family: string, face: string) =>
    `<alias binding="same"><family>${family}</family><prefer><family>${face}</family></prefer></alias>`
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `<dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir>`,
    ...['system-ui', 'sans-serif'].map((family) => alias(family, 'Inter')),
    ...['ui-monospace', 'monospace'].map((family) => alias(family, 'JetBrains Mono')),
    '</fontconfig>',
  ]
  writeFileSync(settings, lines.join('\n'))
  return settings
}
