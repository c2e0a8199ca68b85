// The card of one component in a list: what it is, its title, what can be done with it, and its fields. Once unfolded, the
// fields stay while it is folded, so that nothing of what was typed is lost.

import { ChevronDown, ChevronRight, ChevronUp, Lock } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { useFaultsBelow } from '../../form/context.tsx'
import { revealEvent } from '../../form/focus-field.ts'
import { FormRows } from '../../form/rows.tsx'
import { formOfComponent } from '../../model/form-tree.ts'
import type { Component } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/field.module.css'
import { Badge } from '../../ui/notice.tsx'
import type { ItemCardProps } from './card-props.ts'
import { Glyph } from './glyph.tsx'
import { ItemMenu } from './item-menu.tsx'
import { useItemName, useItemTitle } from './item-name.tsx'
import styles from './items.module.css'
import { LockedItem } from './locked-item.tsx'

export const ItemCard = memo(function ItemCard(props: ItemCardProps) {
  const { path, itemKey, index, component, uid, isOpen, isDisabled, actions } = props
  const itemPath = `${path}.${index}`
  const card = useRef<HTMLDivElement>(null)
  const body = useId()
  const wasOpen = useRef(isOpen)
  wasOpen.current ||= isOpen
  const rows = useMemo(
    () => (component === undefined ? [] : formOfComponent(component, isDisabled)),
    [component, isDisabled],
  )
  useEffect(() => {
    const element = card.current!
    const reveal = () => flushSync(() => actions.fold(itemKey, true))
    element.addEventListener(revealEvent, reveal)
    return () => element.removeEventListener(revealEvent, reveal)
  }, [actions, itemKey])
  return (
    <div ref={card} className={styles.card} data-item={itemKey} data-field={itemPath} data-open={isOpen || undefined}>
      <CardHead {...props} body={body} />
      {wasOpen.current && (
        <div id={body} className={styles.body} hidden={!isOpen}>
          <OwnFaults path={itemPath} />
          {component === undefined ? (
            <LockedItem path={itemPath} uid={uid} />
          ) : rows.length === 0 ? (
            <NothingToFill />
          ) : (
            <FormRows rows={rows} prefix={`${itemPath}.`} />
          )}
        </div>
      )}
    </div>
  )
})

function CardHead(props: ItemCardProps & { readonly body: string }) {
  const { path, itemKey, index, count, component, uid, isOpen, isDisabled, actions, body } = props
  const t = useTranslations('items')
  const name = useItemName()(index, component)
  const moveByKey = (event: KeyboardEvent) => {
    const step = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as Record<string, number>)[event.key] : undefined
    if (step === undefined || isDisabled) return
    event.preventDefault()
    const to = index + step
    if (to >= 0 && to < count) actions.move(itemKey, to, 'fold')
  }
  return (
    <div className={styles.head} onKeyDownCapture={moveByKey}>
      <AriaButton
        className={styles.fold!}
        aria-expanded={isOpen}
        aria-controls={body}
        data-action="fold"
        onPress={() => actions.fold(itemKey, !isOpen)}
      >
        <ChevronRight className={styles.chevron} aria-hidden="true" />
        {component === undefined ? (
          <Lock className={styles.lock} aria-hidden="true" />
        ) : (
          <Glyph component={component} />
        )}
        <CardTitle path={`${path}.${index}`} component={component} uid={uid} index={index} />
      </AriaButton>
      <FaultBadge path={`${path}.${index}`} />
      {!isDisabled && (
        <div className={styles.tools}>
          <span className={styles.steps}>
            <Button
              look="quiet"
              isSmall
              isIcon
              data-action="up"
              isDisabled={index === 0}
              aria-label={t('moveUp', { name })}
              onPress={() => actions.move(itemKey, index - 1, 'up')}
            >
              <ChevronUp aria-hidden="true" />
            </Button>
            <Button
              look="quiet"
              isSmall
              isIcon
              data-action="down"
              isDisabled={index === count - 1}
              aria-label={t('moveDown', { name })}
              onPress={() => actions.move(itemKey, index + 1, 'down')}
            >
              <ChevronDown aria-hidden="true" />
            </Button>
          </span>
          <ItemMenu {...props} name={name} />
        </div>
      )}
    </div>
  )
}

interface TitleProps {
  readonly path: string
  readonly component: Component | undefined
  readonly uid: string
  readonly index: number
}

function CardTitle({ path, component, uid, index }: TitleProps) {
  const t = useTranslations('items')
  const title = useItemTitle(path, component)
  return (
    <span className={styles.titles}>
      <span className={styles.number}>{index + 1}</span>
      <span className={styles.kind}>{component?.label ?? t('unknown')}</span>
      <span className={styles.title}>{component === undefined ? uid : title}</span>
    </span>
  )
}

function FaultBadge({ path }: { readonly path: string }) {
  const t = useTranslations('items')
  const count = useFaultsBelow(path).size
  return count === 0 ? null : <Badge tone="bad">{t('faults', { count })}</Badge>
}

/** Shows the faults of the component itself. */
function OwnFaults({ path }: { readonly path: string }) {
  const faults = useFaultsBelow(path)
  const own = [faults.get(''), faults.get('__component'), faults.get('id')].filter(one => one !== undefined)
  return own.map(text => (
    <p key={text} className={fieldStyles.error}>
      {text}
    </p>
  ))
}

function NothingToFill() {
  const t = useTranslations('items')
  return <p className={styles.hint}>{t('nothingToFill')}</p>
}
