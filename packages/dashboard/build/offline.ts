import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type ResolvedConfig } from 'vite'

const ENTRY = 'src/offline.tsx'
/** Of what is bundled: their licences ask for it. */
const LICENSES = 'licenses.md'

/**
 * Writes `inspector.html` beside the page: the Inspector with script and style in line, which a policy of its own binds to exactly these bytes, and a place for the intents of the installed plugins. It works from a disk, where
 * browsers load no module from a file, and asks nobody, since the policy allows no connection.
 */
export function offline(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'offline',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    async closeBundle() {
      const { root, build: options } = config
      const built = await build({
        configFile: false,
        root,
        publicDir: false,
        logLevel: 'warn',
        resolve: { conditions: [...config.resolve.conditions] },
        build: {
          target: options.target,
          cssTarget: options.cssTarget,
          modulePreload: false,
          cssCodeSplit: false,
          write: false,
          license: { fileName: LICENSES },
          rolldownOptions: { input: join(root, ENTRY), output: { codeSplitting: false } },
        },
      })
      const parts = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
      const scripts = parts.flatMap((each) => (each.type === 'chunk' ? [each.code] : []))
      const styles = parts.flatMap((each) => (each.type === 'asset' && each.fileName.endsWith('.css') ? [String(each.source)] : []))
      const licenses = parts
        .flatMap((each) => (each.type === 'asset' && each.fileName === LICENSES ? [String(each.source)] : []))
        .join('\n')
      const [script, otherScript] = scripts
      const [style, otherStyle] = styles
      if (script === undefined || style === undefined || otherScript !== undefined || otherStyle !== undefined)
        throw new Error(`${ENTRY} became ${scripts.length} scripts and ${styles.length} sheets; one file has one of each`)
      writeFileSync(join(root, options.outDir, 'inspector.html'), page(script.trim(), style.trim(), licenses))
    },
  }
}

function page(script: string, style: string, licenses: string): string {
  // What would end the element, or begin a comment within it: https://html.spec.whatwg.org/#restrictions-for-contents-of-script-elements (read 2026-11-22)
  const safe = script.replaceAll('</script', () => '<\\/script').replaceAll('<!--', () => '<\\!--')
  if (style.includes('</style')) throw new Error('the style has an end of its element in it')
  const policy = [
    "default-src 'none'",
    `script-src '${digest(safe)}'`,
    `style-src '${digest(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Inspector</title>',
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    // Two hyphens would end the comment.
    `<!--\n${licenses.replaceAll('--', '- -').trim()}\n-->`,
    '</head>',
    '<body>',
    '<noscript>This file reads transactions by a script: it needs JavaScript.</noscript>',
    '<div id="app"></div>',
    // Here the service writes the intents of its plugins (core/src/dashboard/inspector-file.ts).
    '<!-- intents -->',
    `<script type="module">${safe}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** As a policy names what it allows: https://www.w3.org/TR/CSP3/#grammardef-hash-source (read 2026-11-22) */
function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
