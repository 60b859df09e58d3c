import { Check, Field } from '../../parts/form/field.tsx'
import { Select } from '../../parts/form/select.tsx'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { toggled } from './form.ts'
import { FAMILIES } from './words.ts'

/** Asks which events are sent: every one, or those that are chosen. */
export function EventsField({
  events,
  error,
  onEvents,
}: {
  readonly events: readonly string[] | null
  readonly error: string | undefined
  readonly onEvents: (events: readonly string[] | null) => void
}) {
  return (
    <>
      <Field label="Events" error={error} hint={events === null ? 'Also of what is added later.' : undefined}>
        {(tied) => (
          <Select
            {...tied}
            whole
            value={events === null ? 'all' : 'some'}
            options={[
              { value: 'all', label: 'Every event' },
              { value: 'some', label: 'The events chosen below' },
            ]}
            onValue={(chosen) => onEvents(chosen === 'all' ? null : ['transaction.*'])}
          />
        )}
      </Field>
      {events === null ? null : <Families events={events} onEvents={onEvents} />}
    </>
  )
}

function Families({ events, onEvents }: { readonly events: readonly string[]; readonly onEvents: (events: readonly string[]) => void }) {
  return (
    <div class="families">
      {FAMILIES.map(({ name, title, types }) => {
        const whole = events.includes(`${name}.*`)
        return (
          <fieldset key={name}>
            <legend>{title}</legend>
            <Check checked={whole} onChecked={(on) => onEvents(toggled(events, `${name}.*`, on))}>
              Everything, also what is added later
            </Check>
            {whole
              ? null
              : types.map(({ type, says }) => (
                  <Check key={type} checked={events.includes(type)} onChecked={(on) => onEvents(toggled(events, type, on))}>
                    <span>
                      {says} <code class="muted">{type}</code>
                    </span>
                  </Check>
                ))}
          </fieldset>
        )
      })}
    </div>
  )
}

/** Part of GET /protocols that is needed here. */
interface Enabled {
  readonly protocol: string
  readonly title: string
}

/** Shows the choice of protocols: every one, or those that are chosen. */
export function ProtocolsField({
  protocols,
  account,
  error,
  onProtocols,
}: {
  readonly protocols: readonly string[] | null
  readonly account: string | null
  readonly error: string | undefined
  readonly onProtocols: (protocols: readonly string[] | null) => void
}) {
  const { value } = useResource(`protocols ${account ?? ''}`, (signal) =>
    api.call<readonly Enabled[]>('protocols', { query: { account }, signal }),
  )
  const enabled = value ?? []
  // One that is chosen and no longer enabled can be taken away.
  const choices = [
    ...enabled,
    ...(protocols ?? [])
      .filter((name) => !enabled.some(({ protocol }) => protocol === name))
      .map((name) => ({ protocol: name, title: name })),
  ]
  return (
    <>
      <Field label="Of" error={error} hint="What is of no protocol, such as an API key, comes regardless.">
        {(tied) => (
          <Select
            {...tied}
            whole
            value={protocols === null ? 'all' : 'some'}
            options={[
              { value: 'all', label: 'Every protocol' },
              { value: 'some', label: 'The protocols chosen below' },
            ]}
            onValue={(chosen) => onProtocols(chosen === 'all' ? null : enabled.map(({ protocol }) => protocol))}
          />
        )}
      </Field>
      {protocols === null ? null : (
        <fieldset class="families">
          <legend class="hidden-visually">Protocols</legend>
          {choices.map(({ protocol, title }) => (
            <Check key={protocol} checked={protocols.includes(protocol)} onChecked={(on) => onProtocols(toggled(protocols, protocol, on))}>
              <span>
                {title} {title === protocol ? null : <code class="muted">{protocol}</code>}
              </span>
            </Check>
          ))}
        </fieldset>
      )}
    </>
  )
}
