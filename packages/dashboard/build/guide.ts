import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { htmlOf } from './markdown.ts'

/** The page of the documentation that the dashboard's alarms lead to: whoever has to act must not have to look for it. */
const GUIDE = 'when-something-changes'

const STYLE = `:root{color-scheme:light dark}
body{max-width:60rem;margin:0 auto;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:light-dark(#15181d,#e9ebee);background:light-dark(#fff,#0f1114)}
h1,h2,h3{line-height:1.25}h2,h3{margin-top:2em}:target{scroll-margin-top:1rem}
.wide{overflow-x:auto}table{border-collapse:collapse}th,td{padding:.4em .7em;border:1px solid light-dark(#e2e5ea,#292e35);text-align:left;vertical-align:top}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}a{color:light-dark(#3a4bd0,#97a5ff)}`

/** Writes `when-something-changes.html` beside the page: that page of the documentation, with an anchor for each product. It asks nobody, and runs nothing. */
export function guide(): Plugin {
  let folder = ''
  let source = ''
  return {
    name: 'guide',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir)
      source = join(root, '../../docs', `${GUIDE}.md`)
    },
    closeBundle() {
      writeFileSync(join(folder, `${GUIDE}.html`), page(readFileSync(source, 'utf8')))
    },
  }
}

function page(markdown: string): string {
  const digest = createHash('sha256').update(STYLE).digest('base64')
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? GUIDE
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${STYLE}</style>`,
    '</head>',
    `<body><main>\n${htmlOf(markdown)}\n</main></body>`,
    '</html>',
    '',
  ].join('\n')
}
