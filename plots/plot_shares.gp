# plot_shares.gp - behind plot.gp: steps of parts, from 0 to 1.
unset logscale y
set yrange [0:1.02]
set ytics 0.2
plot for [k=1:curves] DATA using (x('curve'.shown(k))):4 with steps linetype 10+shown(k) title CURVE[shown(k)]
