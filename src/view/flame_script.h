/* flame_script: what a flame graph can do beyond being looked at: zoom by clicks, search. */
#ifndef WP_FLAME_SCRIPT_H
#define WP_FLAME_SCRIPT_H

/* ECMAScript for the inside of a CDATA section; see export_flame.c for what it finds. */
extern const char wp_flame_script[];

#endif
