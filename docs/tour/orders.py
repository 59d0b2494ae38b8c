"""orders.py [SECONDS]: prints what the customers owe, again and again for some seconds (2): the slow script of docs/python-tour.md."""
import json
import random
import sqlite3
import sys
import time


def fill(db):
    db.execute("create table customer (id integer primary key, name text)")
    db.execute("create table orders (id integer primary key, customer integer, items text)")
    names = [(i, "customer %d" % i) for i in range(500)]
    db.executemany("insert into customer values (?, ?)", names)
    dice = random.Random(1)
    for i in range(2000):
        items = [{"price": dice.randrange(1, 90), "count": dice.randrange(1, 4)} for _ in range(5)]
        db.execute("insert into orders values (?, ?, ?)", (i, dice.randrange(500), json.dumps(items)))


class Order:
    def __init__(self, db, row):
        self.db = db
        self.customer_id = row[1]
        self.items = json.loads(row[2])

    def customer(self):
        query = "select name from customer where id = ?"
        return self.db.execute(query, (self.customer_id,)).fetchone()[0]

    def total(self):
        return sum(item["price"] * item["count"] for item in self.items)


def owed(db):
    sums = {}
    for row in db.execute("select * from orders").fetchall():
        order = Order(db, row)
        name = order.customer()
        sums[name] = sums.get(name, 0) + order.total()
    return sums


def main():
    end = time.time() + float(sys.argv[1] if len(sys.argv) > 1 else 2)
    db = sqlite3.connect(":memory:")
    fill(db)
    while time.time() < end:
        sums = owed(db)
    print("%d customers owe %d" % (len(sums), sum(sums.values())))


main()
