// The menu of a component in a list: every way to move it, and to add one beside it or to take it away.

import {
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  Ellipsis,
  MoveVertical,
  Trash2,
} from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import type { ItemCardProps } from './card-props.ts'

interface ItemMenuProps extends Pick<ItemCardProps, 'itemKey' | 'index' | 'count' | 'mayInsert' | 'actions'> {
  readonly name: string
}

export function ItemMenu({ itemKey, index, count, mayInsert, actions, name }: ItemMenuProps) {
  const t = useTranslations('items')
  const moves = [
    { id: 'top', icon: <ArrowUpToLine />, to: 0 },
    { id: 'up', icon: <ArrowUp />, to: index - 1 },
    { id: 'down', icon: <ArrowDown />, to: index + 1 },
    { id: 'end', icon: <ArrowDownToLine />, to: count - 1 },
  ] as const
  const trigger = (
    <Button look="quiet" isSmall isIcon data-action="menu" aria-label={t('more', { name })}>
      <Ellipsis aria-hidden="true" />
    </Button>
  )
  return (
    <Menu trigger={trigger} label={t('more', { name })}>
      {moves.map(({ id, icon, to }) => (
        <MenuItem
          key={id}
          icon={icon}
          isDisabled={to === index || to < 0 || to >= count}
          onAction={() => actions.move(itemKey, to, 'menu')}
        >
          {t(`moves.${id}`)}
        </MenuItem>
      ))}
      <MenuItem icon={<MoveVertical />} isDisabled={count < 2} onAction={() => actions.chooseMove(itemKey)}>
        {t('moves.to')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<BetweenHorizontalStart />} isDisabled={!mayInsert} onAction={() => actions.insert(index)}>
        {t('insertAbove')}
      </MenuItem>
      <MenuItem icon={<BetweenHorizontalEnd />} isDisabled={!mayInsert} onAction={() => actions.insert(index + 1)}>
        {t('insertBelow')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} isDangerous onAction={() => actions.remove(itemKey)}>
        {t('remove')}
      </MenuItem>
    </Menu>
  )
}
