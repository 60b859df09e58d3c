import type { Agreement, Difference as Differing } from '@svc/verify/inspect'
import { Icon } from '../../parts/layout/icon.tsx'
import { Note } from '../../parts/notice/note.tsx'

/** One thing that is otherwise: both sides, in full. */
export function Difference({
  difference: { agreed, found: actual },
  title,
  why,
  labels: [left, right] = ['Agreed', 'In the transaction'],
}: {
  readonly difference: Differing
  readonly title: string
  readonly why?: string
  readonly labels?: readonly [string, string]
}) {
  return (
    <Note kind="bad">
      <strong>{title}.</strong> {why}
      <dl class="kv sides">
        <dt>{left}</dt>
        <dd class="mono">{agreed}</dd>
        <dt>{right}</dt>
        <dd class="mono">{actual}</dd>
      </dl>
    </Note>
  )
}

/** Every agreed term, and how the transaction stands to it. */
export function AgreedTerms({ agreements }: { readonly agreements: readonly Agreement[] }) {
  const [first] = agreements
  if (!first) return null
  const { account, baseUrl, path, agree, silent } = first
  return (
    <section class="card">
      <header>
        <h2>Agreed terms</h2>
        <span class="muted break">
          {account}, {baseUrl}
        </span>
      </header>
      <div class="body stack">
        <p class="muted">
          {path} on {agreements.map((each) => each.chainId).join(' or ')}
          {agreements.length > 1 ? `: both fit, since the bytes do not tell ${agreements.map((each) => each.chainId).join(' from ')}` : ''}
        </p>
        <ul class="agreed">
          {agree.map(({ term, title, value }) => (
            <li key={term}>
              <Icon name="check" />
              <span>{title}</span>
              <code class="break">{value}</code>
            </li>
          ))}
        </ul>
        {silent.length > 0 ? (
          <p class="muted">
            Of these the transaction says nothing: {silent.map((each) => each.charAt(0).toLowerCase() + each.slice(1)).join(', ')}.
          </p>
        ) : null}
      </div>
    </section>
  )
}
