/**
 * Writes a page of this project's documentation as HTML: headings, paragraphs, lists, tables, code, bold, and links within the page. A link to another page is left as its
 * words, since only this one is served.
 *
 * @throws Error for what it does not know: a fence, a quote or a picture
 */
export function htmlOf(markdown: string): string {
  return markdown
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(blockOf)
    .join('\n')
}

function blockOf(block: string): string {
  const heading = /^(#{1,3}) (.*)$/.exec(block)
  if (heading) return headingOf(String(heading[1]).length, String(heading[2]))
  if (block.startsWith('|')) return tableOf(block.split('\n'))
  if (/^(-|\d+\.) /.test(block)) return listOf(block)
  if (/^(```|>|!\[|#)/.test(block)) throw new Error(`the guide has a block that is not written as HTML: ${block.slice(0, 60)}`)
  return `<p>${inline(block.replaceAll('\n', ' '))}</p>`
}

/** Writes a heading that can be linked to: by its words, and by each name in it that stands as code. */
function headingOf(level: number, text: string): string {
  const ids = [slugOf(text), ...[...text.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name))]
  const [id, ...others] = new Set(ids)
  const anchors = others.map((name) => `<span id="${escaped(name)}"></span>`).join('')
  return `<h${level} id="${escaped(String(id))}">${anchors}${inline(text)}</h${level}>`
}

function tableOf([head = '', , ...rows]: readonly string[]): string {
  const row = (line: string, cell: string) =>
    `<tr>${line
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((each) => `<${cell}>${inline(each.trim())}</${cell}>`)
      .join('')}</tr>`
  const body = rows.map((line) => row(line, 'td')).join('\n')
  return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${row(head, 'th')}</thead>\n<tbody>\n${body}\n</tbody></table></div>`
}

function listOf(block: string): string {
  const name = block.startsWith('-') ? 'ul' : 'ol'
  const items = block.split(/\n(?=(?:-|\d+\.) )/).map((item) => inline(item.replace(/^(-|\d+\.) /, '').replaceAll(/\n\s*/g, ' ')))
  return `<${name}>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</${name}>`
}

function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part.slice(1, -1))}</code>` : worded(escaped(part))))
    .join('')
}

function worded(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, words: string, to: string) => (to.startsWith('#') ? `<a href="${to}">${words}</a>` : words))
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
}

/** Makes the name of a heading as GitHub does. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
