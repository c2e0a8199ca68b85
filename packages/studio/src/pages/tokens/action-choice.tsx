// The actions of a custom token, chosen from those that there are. Who may not list them writes their names.

import { useQuery } from '@tanstack/react-query'
import { SearchIcon, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { listActions, userActions } from '../../api/users.ts'
import { useModel } from '../../app/model-context.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Waiting } from '../../ui/notice.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './tokens.module.css'

interface ChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

export function ActionChoice(props: ChoiceProps) {
  const { actions } = useModel()
  return actions.has(userActions.listActions) ? <ActionList {...props} /> : <ActionText {...props} />
}

function ActionList({ chosen, onChange }: ChoiceProps) {
  const t = useTranslations('tokens')
  const [text, setText] = useState('')
  const { data: actions, isError } = useQuery({
    queryKey: ['actions'],
    queryFn: ({ signal }) => listActions(signal),
  })
  if (isError) return <ActionText chosen={chosen} onChange={onChange} />
  if (actions === undefined) return <Waiting label={t('loading')} />
  const matches = actions.filter(action => action.toLowerCase().includes(text.trim().toLowerCase()))
  const change = (action: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, action] : chosen.filter(one => one !== action))
  return (
    <fieldset className={styles.actions}>
      <legend>{t('actions')}</legend>
      <SearchInput
        label={t('searchActions')}
        value={text}
        onChange={setText}
        icon={<SearchIcon aria-hidden="true" />}
        clearIcon={<X aria-hidden="true" />}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys */}
      <section className={styles.list} aria-label={t('actions')} tabIndex={0}>
        {matches.map(action => (
          <Checkbox key={action} isSelected={chosen.includes(action)} onChange={is => change(action, is)}>
            {action}
          </Checkbox>
        ))}
        {matches.length === 0 && <p>{t('noActions')}</p>}
      </section>
      <p role="status">{t('chosen', { count: chosen.length })}</p>
    </fieldset>
  )
}

/** The actions in a text: one in each line, or with commas between them. */
const actionsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

function ActionText({ chosen, onChange }: ChoiceProps) {
  const t = useTranslations('tokens')
  const [text, setText] = useState(chosen.join('\n'))
  const change = (next: string) => {
    setText(next)
    onChange(actionsIn(next))
  }
  return (
    <TextField
      label={t('actions')}
      description={t('actionsText')}
      isMultiline
      isCode
      required
      value={text}
      onChange={change}
    />
  )
}
