"""A bot that attacks where the enemy's ships most likely are, and moves if there is nothing in reach."""

from random import Random

from arena import Action, Attack, Attacked, Coord, Game, Move, Moved, Ship, View, around, cells, random_positions


class Bot:
    """One object plays one game. Its state is the set of cells on which each of the enemy's ships may be."""

    name = "first-bot"

    def __init__(self) -> None:
        self.maybe: dict[Ship, set[Coord]] = {ship: set(cells()) for ship in Ship}

    def deploy(self, game: Game) -> dict[Ship, Coord]:
        """Returns the cells on which the ships begin. They must be different."""
        return random_positions(Random(game.seed))

    def play(self, game: Game, view: View) -> Action:
        """Returns the next action: one of `view.legal_actions()`. Any other loses the game."""
        random = Random(game.seed + view.turn)
        self.learn(view)
        worth = {at: sum(self.likelihood(enemy.ship, at) for enemy in view.enemy) for at in view.reach()}
        best = max(worth.values())
        if best > 0:
            return Attack(random.choice([at for at in worth if worth[at] == best]))
        return random.choice([action for action in view.legal_actions() if isinstance(action, Move)])

    def likelihood(self, ship: Ship, at: Coord) -> float:
        """The likelihood that a ship of the enemy is on a cell."""
        return 1 / len(self.maybe[ship]) if at in self.maybe[ship] else 0.0

    def learn(self, view: View) -> None:
        """Processes the reports: first that of the bot's last action, then that of the enemy's."""
        if isinstance(view.my_last, Attacked):
            at, near = view.my_last.at, set(around(view.my_last.at))
            for enemy in view.enemy:
                if view.my_last.hit == enemy.ship:
                    self.maybe[enemy.ship] = {at}
                elif enemy.ship in view.my_last.near:
                    self.maybe[enemy.ship] &= near - {at}
                else:
                    self.maybe[enemy.ship] -= near
        if isinstance(view.enemy_last, Moved):
            ship, down, right = view.enemy_last.ship, view.enemy_last.down, view.enemy_last.right
            moved = {Coord(at.row + down, at.column + right) for at in self.maybe[ship]}
            self.maybe[ship] = moved & set(cells())
